# Configuration of the documentation site: `ninja docs` runs Sphinx on the root of the tree with this file.
# Documents outside of docs/ (CHANGELOG.md, ports/PORTING.md, ...) are pages of the site under their own paths, so that the
# same links work on a Git forge.
import os
import re
import sys

sys.path.insert(0, os.path.dirname(__file__))
tree = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
with open(os.path.join(tree, "abi/include/solo.h")) as header:
    version = re.search(r'#define SOLO_VERSION_STRING +"([^"]+)"', header.read()).group(1)
release = version
project = "solo"
author = "the authors of solo"
copyright = "the authors of solo; licence: Apache-2.0 WITH LLVM-exception"

extensions = ["myst_parser", "breathe", "sphinx_copybutton", "sphinx_rtd_theme", "manpage"]
root_doc = "docs/index"
include_patterns = ["docs/**.md", "*.md", "ports/*.md", "bench/*.md", "tests/*.md", "tests/*/*.md", "abi/**.md",
                    "backends/**.md", "runtime/**.md", "tools/*.md"]
exclude_patterns = ["build", "**/.*", "README.md", "docs/README.md"]
suppress_warnings = ["myst.header"]  # conformance reports begin at level 1 and continue at level 3
myst_heading_anchors = 3
smartquotes = False  # "--static" keeps its hyphens
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
breathe_projects = {"solo": os.path.join(tree, "build/docs/doxygen/xml")}
breathe_default_project = "solo"
breathe_domain_by_extension = {"h": "c"}

html_theme = "sphinx_rtd_theme"
html_theme_options = {"navigation_depth": 3, "collapse_navigation": True, "prev_next_buttons_location": "bottom"}
html_title = "solo " + release
html_additional_pages = {"index": "to-index.html"}
templates_path = ["templates"]
html_static_path = ["style"]
html_css_files = ["solo.css"]
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
