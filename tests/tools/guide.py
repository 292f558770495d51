"""Runs the commands of pages: guide.py FOLDER PAGE...

Blocks "```LANGUAGE NAME" are written to files. Lines "$ COMMAND" of blocks "```console" run in one shell for each page, all
pages in the same folder. The lines after a command are the expected output ("..." matches any text).
"<!-- needs: TOOL... -->" skips a block if a tool, a file or a probe of PROBES is missing. The last line counts the commands.
Exit status 1: a command failed."""
import os
import re
import shutil
import subprocess
import sys

folder, pages = sys.argv[1], sys.argv[2:]
BLOCK = re.compile(r"(?:<!-- needs: ([^\n]*) -->\n)?```(\w+)(?: (\S+))?\n(.*?)^```$", re.S | re.M)

PROBES = {
    "chroot": "test $(id -u) = 0 || unshare --user --map-root-user true",
    "perf-record": "perf record -q -e cpu-clock -o /dev/null true",
}


def is_there(what):
    if what in PROBES:
        return subprocess.run(["sh", "-c", PROBES[what]], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0
    return os.path.exists(what) if what.startswith("/") else shutil.which(what) is not None


def run(shell, command):
    shell.stdin.write("{ %s\n} </dev/null\necho \"end-of-command $?\"\n" % command)
    shell.stdin.flush()
    out = []
    for line in shell.stdout:
        end = re.match(r"(.*)end-of-command (\d+)$", line)
        if end:
            return int(end.group(2)), "".join(out) + end.group(1)
        out.append(line)
    return -1, "".join(out)


def matches(expected, got):
    pattern = ".*".join(re.escape(part) for part in expected.strip("\n").split("..."))
    return re.fullmatch(pattern, got.strip("\n"), re.S) is not None


def steps_of(body):
    return [step.partition("\n")[::2] for step in re.split(r"^\$ ", body, flags=re.M)[1:]]


ran = left_out = failed = in_pages = 0
for page in pages:
    text = open(page).read()
    in_pages += len(re.findall(r"^\$ ", text, re.M))
    shell = subprocess.Popen(["sh"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
    for needs, language, name, body in (b.groups() for b in BLOCK.finditer(text)):
        missing = [n for n in (needs or "").split() if not is_there(n)]
        if missing:
            steps = steps_of(body) if language == "console" else []
            left_out += len(steps)
            print("skipped, no %s: %s" % (missing[0], "; ".join(c for c, _ in steps) or name))
        elif language != "console":
            if name:
                with open(os.path.join(folder, name), "w") as file:
                    file.write(body)
        else:
            for command, expected in steps_of(body):
                status, got = run(shell, command)
                ran += 1
                if status != 0 or not matches(expected, got):
                    failed += 1
                    print("failed: %s: %s (status %d)\n    expected: %s\n    printed:  %s" %
                          (page, command, status, expected.strip("\n").replace("\n", "\n      "),
                           got.strip("\n").replace("\n", "\n      ")))
    shell.stdin.close()
    shell.wait()
print("commands: %d ran, %d left out, of %d" % (ran, left_out, in_pages))
sys.exit(failed != 0)
