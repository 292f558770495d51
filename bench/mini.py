#!/usr/bin/env python3
"""Compares the small applications of bench/mini/ with stock, in alternating processes.
    python3 bench/mini.py [ROUNDS]         measures, writes bench/results/mini.txt and mini.svg
    python3 bench/mini.py ROUNDS NAME...   prints the times of these, such as mini/fft
    python3 bench/mini.py --draw           draws bench/results/mini.svg from bench/results/mini.txt
Processes have real-time priority if that is allowed."""
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
NOT_SLOWER = 0.95  # tolerance for the variation between two runs (bench_report.c)
COLOURS = ("#0b6e4f", "#e0a030", "#2e5eaa")


def took(program, name):
    """Microseconds of one additional repetition."""
    begin = time.perf_counter()
    done = subprocess.run([program, "--more", "--only", name], stdout=subprocess.PIPE, check=True)
    time.sleep((time.perf_counter() - begin) / 5)  # the kernel throttles real-time processes above 95 %
    return float(done.stdout.split()[2]) / 1000


def compare(question, name, rounds):
    """Returns medians, and median and quartiles of the ratio stock / solo within a round."""
    of = {who: [] for who in WHO}
    for i in range(rounds):
        for who in WHO[::-1 if i % 2 else 1]:
            of[who].append(took(os.path.join(BUILT, who, question), name))
    ratios = []
    for who in WHO[:-1]:
        each = [theirs / ours for theirs, ours in zip(of["peer"], of[who])]
        low, middle, high = statistics.quantiles(each, n=4, method="inclusive") if rounds > 1 else 3 * each
        ratios.append("%.2f[%.2f..%.2f]" % (middle, low, high))
    return [statistics.median(of[who]) for who in WHO] + ratios


def ratio(column):
    """The median in "0.30[0.29..0.31]" or "0.30"."""
    return float(column.split("[")[0])


def applications():
    header = open(os.path.join(FOLDER, "mini", "mini.h"), encoding="ascii").read()
    names = re.findall(r"^  XX\((\w+), \d+, \d+\)", header, re.M)
    return [("q_mini", "mini/" + name) for name in names] + [("q_mini_asked", "mini_asked/gridstride")]


def measure(rounds, chosen, file):
    os.environ["KMP_WARNINGS"] = "0"
    file.write("Medians of %d rounds, us per repetition; then the ratio stock 19 / solo with quartiles: static with musl, with glibc, drop-in.\n"
               "On all %d processors, then on one.\n%-22s %s\n" %
               (rounds, os.cpu_count(), "application", "   ".join(["%6s " * 4 % SHOWN + "%-17s " * 3 % SHOWN[:3]] * 2).rstrip()))
    for question, name in chosen:
        values = []
        all_of_it = os.sched_getaffinity(0)
        for mask in (all_of_it, {max(all_of_it)}):
            os.sched_setaffinity(0, mask)
            values.append(compare(question, name, rounds))
        os.sched_setaffinity(0, all_of_it)
        file.write("%-22s %s\n" % (name, "   ".join("%6.0f " * 4 % tuple(v[:4]) + "%-17s " * 3 % tuple(v[4:]) for v in values).rstrip()))
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
        for j, (value, colour) in enumerate(zip(map(ratio, row[5:8]), COLOURS)):
            out.append('<rect x="%d" y="%d" width="%.1f" height="7" fill="%s"><title>%.2f</title></rect>' %
                       (left, y + 3 + 8 * j, unit * min(value, 8), colour, value))
    below = top + line * len(rows) + 18
    missed = ["%s (%s)" % (row[0], ", ".join(w for w, v in zip(SHOWN, map(ratio, row[5:8])) if v < NOT_SLOWER))
              for row in rows if min(map(ratio, row[5:8])) < NOT_SLOWER]
    if missed:
        out.append('<text x="%d" y="%d" fill="#c1292e">missed: %s</text>' % (left, below + 16, ", ".join(missed)))
    for x, colour, text in ((left, COLOURS[0], "solo, static, musl"), (left + 130, COLOURS[1], "static, glibc"),
                            (left + 230, COLOURS[2], "drop-in"), (left + 300, "#c1292e", "1: speed of stock 19")):
        out.append('<text x="%d" y="%d" fill="%s">%s</text>' % (x, below, colour, text))
    with open(os.path.join(FOLDER, "results", "mini.svg"), "w", encoding="ascii") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" '
                   'font-size="12">\n<rect width="100%%" height="100%%" fill="white"/>\n'
                   '<text x="%d" y="16">small applications: speed relative to stock (right is better)</text>\n%s\n'
                   '</svg>\n' % (left + 8 * unit + 20, below + 28, left, "\n".join(out)))


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
