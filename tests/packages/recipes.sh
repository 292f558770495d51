#!/bin/sh
# Description: reads the EasyBuild recipe, the container recipe and the environment module, and checks that their versions,
# files and options exist. The module is loaded with the installed modulecmd.
set -u
cd "$(dirname "$0")/../.." || exit 1
version=$(sh tools/version.sh)
work=$PWD/build/tests/package-recipes
rm -rf "$work"
mkdir -p "$work"
DESTDIR=$work/stage sh tools/install.sh /opt/solo >"$work/out" || { echo "failed: install.sh"; cat "$work/out"; exit 1; }
fail=0
bad() { echo "failed: $*"; fail=1; }
python3 - "$version" "$work/stage/opt/solo" <<'END' || fail=1
import os, pathlib, re, sys
version, root = sys.argv[1:]
text = pathlib.Path(f"ports/packages/easybuild/solo-{version}.eb").read_text()
recipe = {"SYSTEM": {"name": "system", "version": "system"}}
exec(compile(text, "solo.eb", "exec"), recipe)
assert recipe["version"] == version and recipe["name"] == "solo", "version of the EasyBuild recipe"
for kind, present in (("files", os.path.isfile), ("dirs", os.path.isdir)):
    for path in recipe["sanity_check_paths"][kind]:
        assert present(os.path.join(root, path)), f"solo.eb: {path} is not installed"
command = recipe.get("configure_cmd", "./configure")  # EasyBuild's default
assert os.access(command, os.X_OK), f"solo.eb calls {command}, which does not exist"
usage = pathlib.Path("configure.sh").read_text()
lines = pathlib.Path("ports/packages/container/Containerfile").read_text().replace("\\\n", " ").split("\n")
steps = [line.split(None, 1) for line in lines if line and not line.startswith("#")]
assert [s[0] for s in steps] == ["FROM", "COPY", "WORKDIR", "RUN", "FROM", "RUN", "COPY"], "instructions of the Containerfile"
for option in re.findall(r"(--[a-z-]+)", recipe["configopts"] + " " + steps[3][1]):
    assert option + ")" in usage or option + "=" in usage, f"configure.sh has no option {option}"
END
module=$work/stage/opt/solo/share/modulefiles
command=$(ls /usr/lib/*/modulecmd.tcl /usr/share/modules/libexec/modulecmd.tcl 2>/dev/null | head -n 1)
[ -n "$command" ] || { [ $fail = 0 ] || exit 1; echo "skipped: no modulecmd (environment-modules)"; exit 77; }
MODULEPATH=$module "$command" sh load "solo/$version" >"$work/environment" 2>"$work/errors" || bad "modulecmd: $(cat "$work/errors")"
(
  eval "$(cat "$work/environment")"
  [ "$SOLO_ROOT" = "$work/stage/opt/solo" ] && [ "$(command -v solo-info)" = "$SOLO_ROOT/bin/solo-info" ] && solo-info --version
) || bad "the environment module: $(head -n 5 "$work/environment" "$work/errors")"
exit $fail
