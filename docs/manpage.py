"""Sphinx extension: the directive `manpage` inserts a page of tools/man.

    ```{manpage} ../../tools/man/solo-cc.1
    ```

Supports the macros that these pages use: SH, PP, TP, IP, nf, fi, br and the fonts B, I, BR, RB, BI, IB, IR, RI."""
import os
import re
import shlex

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

FONTS = {"B": nodes.strong, "I": nodes.emphasis, "R": nodes.Text}


def plain(text):
    for old, new in (("\\-", "-"), ("\\(bu", "•"), ("\\e", "\\"), ("\\&", ""), ("\\(aq", "'"), ("\\ ", "\u00a0")):
        text = text.replace(old, new)
    return text


def spans(text, font="R"):
    """Returns the nodes of TEXT, in which \\fB, \\fI, \\fR and \\fP change the font."""
    found = []
    for part in re.split(r"(\\f[BIRP])", text):
        if re.fullmatch(r"\\f[BIRP]", part):
            font = part[2].replace("P", "R")
        elif part:
            inner = nodes.Text(plain(part))
            found.append(inner if font == "R" else FONTS[font]("", "", inner))
    return found


def words(text):
    return [w.replace("\0", "\\") for w in shlex.split(text.replace("\\", "\0").replace("'", "\\'"))]


def line(text):
    """Returns the nodes of a line that is text or a font macro."""
    macro = re.match(r"\.([BIR]{1,2}) (.*)$", text)
    if not macro:
        return spans(text)
    fonts, rest = macro.groups()
    if len(fonts) == 1:
        return spans(" ".join(words(rest)), fonts)
    return [node for i, word in enumerate(words(rest)) for node in spans(word, fonts[i % 2])]


class ManPage(SphinxDirective):
    required_arguments = 1

    def run(self):
        relative, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(relative)
        with open(path) as page:
            return self.convert(page.read().split("\n"), os.path.basename(path))

    def convert(self, lines, name):
        sections, body, paragraph, literal, term_next = [], None, None, None, False
        item_body = definitions = items = None

        def add(node):
            (item_body if item_body is not None else body).append(node)

        for text in lines:
            if literal is not None and text != ".fi":
                literal.append(plain("".join(n.astext() for n in line(text))))
            elif text.startswith(".SH "):
                title = plain(text[4:]).strip('"').capitalize()
                section = nodes.section(ids=[nodes.make_id(title)])
                section += nodes.title("", title)
                sections.append(section)
                body, paragraph, item_body, definitions, items = section, None, None, None, None
            elif text == ".PP":
                paragraph = item_body = definitions = items = None
            elif text == ".TP":
                items = None
                if definitions is None:
                    definitions = nodes.definition_list()
                    body.append(definitions)
                term_next = True
            elif text == ".IP":
                paragraph = None
            elif text.startswith(".IP "):
                if items is None:
                    items = nodes.enumerated_list() if text[4].isdigit() else nodes.bullet_list()
                    body.append(items)
                item_body, paragraph, definitions = nodes.list_item(), None, None
                items.append(item_body)
            elif text == ".nf":
                literal = []
            elif text == ".fi":
                block = "\n".join(literal)
                add(nodes.literal_block(block, block, language="text"))
                literal = paragraph = None
            elif text == ".br":
                paragraph = None
            elif term_next:
                item_body = nodes.definition()
                definitions.append(nodes.definition_list_item("", nodes.term("", "", *line(text)), item_body))
                paragraph, term_next = None, False
            elif body is not None and text and not text.startswith((".TH", ".\\\"")):
                if text.startswith(".") and not re.match(r"\.[BIR]{1,2} ", text):
                    raise self.error("%s: unknown macro %s" % (name, text))
                if paragraph is None:
                    paragraph = nodes.paragraph()
                    add(paragraph)
                else:
                    paragraph += nodes.Text(" ")
                paragraph += line(text)
        return sections


def setup(app):
    app.add_directive("manpage", ManPage)
    return {"version": "1", "parallel_read_safe": True}
