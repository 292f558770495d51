"""Runs solo-link on damaged objects and archives. solo-link must not crash.

usage: fuzz_link.py LINKER ROUNDS FILE...   (LINKER: solo-link built with sanitizers)
"""
import os
import random
import subprocess
import sys


def damage(data):
    for _ in range(random.choice([1, 1, 2, 4, 16])):
        where = random.randrange(len(data))
        if random.random() < 0.4:
            where = random.randrange(min(len(data), 400))  # headers
        elif random.random() < 0.3:
            where = max(0, len(data) - random.randrange(1, 2300))  # section table
        data[where] = random.choice([0, 1, 255, 0x7F, 0x80, random.randrange(256)])
    if random.random() < 0.15:
        del data[random.randrange(len(data)) :]
    return data


def main():
    linker, rounds, files = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    seed = int(os.environ.get("SEED", "1"))
    random.seed(seed)
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:exitcode=99", UBSAN_OPTIONS="exitcode=99")
    for number in range(rounds):
        source = random.choice(files)
        name = "damaged" + os.path.splitext(source)[1]
        with open(source, "rb") as original, open(name, "wb") as copy:
            copy.write(damage(bytearray(original.read())))
        command = [linker, "--libc=musl", "--device-object=fuzz.o", "--whole-archive", name]
        result = subprocess.run(command, env=environment, capture_output=True, timeout=60)
        if result.returncode not in (0, 1):
            print(f"seed {seed}, round {number}, {source}: status {result.returncode}")
            print(result.stderr.decode(errors="replace")[:2000])
            os.rename(name, "crash" + os.path.splitext(source)[1])
            return 1
    print(f"{rounds} damaged files, no crash")
    return 0


sys.exit(main())
