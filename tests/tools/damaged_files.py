"""Runs tools with sanitizers on damaged files. The tools must not crash.

usage: damaged_files.py ROUNDS FOLDER-OF-TOOLS FILE...
"""
import os
import random
import subprocess
import sys

rounds, tools, files = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
random.seed(int(os.environ.get("SEED", "1")))
COMMANDS = [["solo-info", "{}"], ["solo-pack", "list", "{}"], ["solo-pack", "extract", "-o", "out-of-it", "{}"],
            ["solo-link", "--libc=musl", "--device-object=linked.o", "--whole-archive", "{}"],
            ["solo-cc", "--static", "-fsyntax-only", "@{}"], ["solo-cc", "-###", "-x", "c", "{}", "-o", "p"],
            ["solo-cc", "--show", "--targets={}", "-c", "x.c"]]
environment = dict(os.environ, UBSAN_OPTIONS="exitcode=99",
                   ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":exitcode=99:allocator_may_return_null=1")


def damage(data):
    for _ in range(random.choice([1, 1, 2, 4, 16])):
        where = random.randrange(len(data))
        if random.random() < 0.5:
            where = random.randrange(min(len(data), 400))  # headers
        elif random.random() < 0.3:
            where = max(0, len(data) - random.randrange(1, 2300))  # section table
        data[where] = random.choice([0, 1, 255, 0x7F, 0x80, random.randrange(256)])
    if random.random() < 0.2:
        del data[random.randrange(len(data)):]
    return data


failed = 0
for number in range(rounds):
    source = files[number % len(files)]
    with open(source, "rb") as original, open("damaged", "wb") as copy:
        copy.write(damage(bytearray(original.read())))
    for command in COMMANDS:
        line = [part.replace("{}", "damaged") for part in command]
        result = subprocess.run([os.path.join(tools, line[0])] + line[1:], env=environment, capture_output=True,
                                timeout=60, stdin=subprocess.DEVNULL)
        if result.returncode not in (0, 1, 2):
            failed += 1
            print("round %d, %s: %s: status %d" % (number, source, " ".join(line), result.returncode))
            print(result.stderr.decode(errors="replace")[:1500])
            os.rename("damaged", "crash-%d" % number)
            break
print("%d damaged files, %d commands each, %d crashes" % (rounds, len(COMMANDS), failed))
sys.exit(failed > 0)
