#!/usr/bin/env python3
"""Miniatures of applications (bench/mini/) beside stock where other work goes on: whole processes in turn.
    python3 bench/mini.py [ROUNDS]         measures, writes bench/results/mini.txt and the chart
    python3 bench/mini.py ROUNDS NAME...   measures these, for example mini/fft, and prints them
    python3 bench/mini.py --draw           draws bench/results/mini.svg from bench/results/mini.txt
Each value is what many repetitions take less what one takes, by their number: start-up is left out. On all processors
the wall clock counts, as a real-time process where that is allowed; on one it is the processor's time."""
import os
import re
import statistics
import subprocess
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
NUMBERS = os.path.join(FOLDER, "results", "mini.txt")
BUILT = os.path.join(FOLDER, "..", "build", "bench")
WHO = ("static", "static_glibc", "dropin", "peer")
SHOWN = ("musl", "glibc", "dropin", "stock")  # as columns
LEAST, MOST, SECONDS = 41, 2000, 0.06  # repetitions that take some time
COLOURS = ("#0b6e4f", "#e0a030", "#2e5eaa")


def wall(process):
    begin = time.perf_counter()
    child = process()
    status = child.wait()
    return status, time.perf_counter() - begin


def processor(process):
    child = process()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    return status, usage.ru_utime + usage.ru_stime


def took(how, program, name, many):
    """Microseconds of one repetition."""
    times = []
    for repetitions in (many + 1, 1):
        command = [program, "--only", name, "--ops", str(repetitions)]
        status, seconds = how(lambda: subprocess.Popen(command, stdout=subprocess.DEVNULL))
        if status != 0:
            sys.exit("%s failed" % " ".join(command))
        times.append(seconds)
        time.sleep(seconds / 5)  # a real-time process that takes more than 95 % of a second is stopped
    return 1e6 * (times[0] - times[1]) / many


def compare(how, question, name, rounds):
    """Medians of each contestant, and of stock's by solo's within a round. Rounds go forth and back."""
    of = {who: [] for who in WHO}
    programs = {who: os.path.join(BUILT, who, question) for who in WHO}
    once = took(how, programs["peer"], name, LEAST)
    many = max(LEAST, min(MOST, int(SECONDS * 1e6 / max(once, 1))))
    for i in range(rounds):
        for who in WHO[::-1 if i % 2 else 1]:
            of[who].append(took(how, programs[who], name, many))
    ratios = [statistics.median(theirs / ours for theirs, ours in zip(of["peer"], of[who])) for who in WHO[:-1]]
    return [statistics.median(of[who]) for who in WHO] + ratios


def applications():
    header = open(os.path.join(FOLDER, "mini", "mini.h"), encoding="ascii").read()
    names = re.findall(r"^  XX\((\w+), \d+, \d+\)", header, re.M)
    return [("q_mini", "mini/" + name) for name in names] + [("q_mini_asked", "mini_asked/gridstride")]


def measure(rounds, chosen, file):
    os.environ["KMP_WARNINGS"] = "0"
    file.write("Medians of %d rounds, us per repetition; then stock 19's time by solo's: static with musl, with glibc, drop-in.\n"
               "On all %d processors by the wall clock, then on one by the processor's time.\n%-22s %s\n" %
               (rounds, os.cpu_count(), "application", "   ".join(["%6s " * 4 % SHOWN + "%6s " * 3 % SHOWN[:3]] * 2).rstrip()))
    for question, name in chosen:
        values = []
        for how, mask in ((wall, os.sched_getaffinity(0)), (processor, {0})):
            all_of_it = os.sched_getaffinity(0)
            os.sched_setaffinity(0, mask)
            values.append(compare(how, question, name, rounds))
            os.sched_setaffinity(0, all_of_it)
        file.write("%-22s %s\n" % (name, "   ".join("%6.0f " * 4 % tuple(v[:4]) + "%6.2f " * 3 % tuple(v[4:]) for v in values).rstrip()))
        file.flush()


def draw():
    rows = [line.split() for line in open(NUMBERS, encoding="ascii") if line.startswith("mini")]
    left, unit, line, top = 190, 60, 28, 40
    out = []
    for tick in range(0, 9):
        x = left + tick * unit
        out.append('<path d="M%d %dV%d" stroke="%s"/>' % (x, top - 6, top + line * len(rows),
                                                          "#c1292e" if tick == 1 else "#ddd"))
        out.append('<text x="%d" y="%d" text-anchor="middle">%d</text>' % (x, top - 10, tick))
    for i, row in enumerate(rows):
        y = top + line * i
        out.append('<text x="%d" y="%d" text-anchor="end">%s</text>' % (left - 6, y + 18, row[0]))
        for j, (value, colour) in enumerate(zip(map(float, row[5:8]), COLOURS)):
            out.append('<rect x="%d" y="%d" width="%.1f" height="7" fill="%s"><title>%.2f</title></rect>' %
                       (left, y + 3 + 8 * j, unit * min(value, 8), colour, value))
    below = top + line * len(rows) + 18
    for x, colour, text in ((left, COLOURS[0], "solo, static, musl"), (left + 130, COLOURS[1], "static, glibc"),
                            (left + 230, COLOURS[2], "drop-in"), (left + 300, "#c1292e", "1: as fast as stock 19")):
        out.append('<text x="%d" y="%d" fill="%s">%s</text>' % (x, below, colour, text))
    with open(os.path.join(FOLDER, "results", "mini.svg"), "w", encoding="ascii") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" '
                   'font-size="12">\n<rect width="100%%" height="100%%" fill="white"/>\n'
                   '<text x="%d" y="16">small applications: how many times as fast as stock (right is better)</text>\n%s\n'
                   '</svg>\n' % (left + 8 * unit + 20, below + 12, left, "\n".join(out)))


def main(arguments):
    names = arguments[1:]
    if arguments != ["--draw"]:
        rounds = int(arguments[0]) if arguments else 7
        chosen = [pair for pair in applications() if pair[1] in names or not names]
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        except PermissionError:
            pass
        if names:
            measure(rounds, chosen, sys.stdout)
            return
        with open(NUMBERS, "w", encoding="ascii") as file:
            measure(rounds, chosen, file)
    draw()


main(sys.argv[1:])
