#!/usr/bin/env python3
"""Draws SVG charts of bench/results:   python3 bench/scale_charts.py [--measure]
  mapping_growth.svg from mapping_growth.txt: the cost of a mapping
  threads_growth.svg from scale.txt: the longest chain of transfers in the model
  threads_real.svg from threads_real.txt: times by threads of this machine
--measure first writes mapping_growth.txt and threads_real.txt with the programs of ninja bench.
"""
import datetime
import math
import os
import re
import statistics
import subprocess
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results")
BUILT = os.path.join(FOLDER, "../../build/bench")
COLOURS = {"static": "#0b6e4f", "solo": "#0b6e4f", "peer": "#c1292e", "limit": "#777777", "hyper": "#c1292e",
           "central": "#2e5eaa", "flat": "#e09f3e", "host": "#2e5eaa", "gomp": "#e09f3e"}
NAMES = {"static": "solo, static", "peer": "LLVM 19", "limit": "limit", "hyper": "libomp's design",
         "central": "libgomp's design", "flat": "solo without trees", "solo": "solo", "host": "libomp", "gomp": "libgomp"}
WIDTH, HEIGHT, LEFT, TOP = 300, 220, 52, 26


def panel(x0, y0, title, lines, x_ticks):
    """lines: {contestant: [(x, y), ...]}; x_ticks: (value, text); logarithmic axes."""
    xs = [x for points in lines.values() for x, _ in points]
    ys = [y for points in lines.values() for _, y in points]
    low_x, high_x = math.log(min(xs)), math.log(max(xs))
    low_y, high_y = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    right, bottom = x0 + WIDTH - 12, y0 + HEIGHT - 30

    def at_x(x):
        return x0 + LEFT + (math.log(x) - low_x) / (high_x - low_x) * (right - x0 - LEFT)

    def at_y(y):
        return bottom - (math.log10(y) - low_y) / (high_y - low_y) * (bottom - y0 - TOP)

    out = ['<text x="%d" y="%d" font-weight="bold">%s</text>' % (x0 + LEFT, y0 + 14, title)]
    for power in range(low_y, high_y + 1):
        y = at_y(10.0 ** power)
        out.append('<path d="M%d %.1fH%d" stroke="#ddd"/>' % (x0 + LEFT, y, right))
        out.append('<text x="%d" y="%.1f" text-anchor="end">%g</text>' % (x0 + LEFT - 5, y + 4, 10.0 ** power))
    for value, text in [tick for tick in x_ticks if min(xs) <= tick[0] <= max(xs)]:
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (at_x(value), bottom + 15, text))
    for who, points in lines.items():
        path = " ".join("%.1f,%.1f" % (at_x(x), at_y(y)) for x, y in points)
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (path, COLOURS[who]))
        for point in path.split():
            out.append('<circle cx="%s" cy="%s" r="2.5" fill="%s"/>' % (*point.split(","), COLOURS[who]))
    return out


def chart(name, panels, x_ticks, under):
    columns = 3
    rows = (len(panels) + columns - 1) // columns
    out = []
    for i, (title, lines) in enumerate(panels):
        out += panel(WIDTH * (i % columns), HEIGHT * (i // columns), title, lines, x_ticks)
    whom = [who for who in COLOURS if any(who in lines for _, lines in panels)]
    for i, who in enumerate(whom):
        out.append('<text x="%d" y="%d" fill="%s">%s</text>' % (LEFT + 160 * i, HEIGHT * rows + 16, COLOURS[who],
                                                             NAMES[who]))
    out.append('<text x="%d" y="%d">%s</text>' % (LEFT, HEIGHT * rows + 34, under))
    width, height = WIDTH * columns, HEIGHT * rows + 44
    with open(os.path.join(FOLDER, name + ".svg"), "w", encoding="ascii") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" '
                   'font-size="11">\n<rect width="100%%" height="100%%" fill="white"/>\n%s\n</svg>\n'
                   % (width, height, "\n".join(out)))


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as text:
        model = re.search(r"model name\s*: (.*)", text.read())
    return "%s, %d processors, load %.1f, %s" % (model[1] if model else "unknown processor", os.cpu_count(),
                                                 os.getloadavg()[0], datetime.date.today())


def measure(name, about, programs, rounds):
    """Writes lines "CONTESTANT METRIC UNIT value ...", one value per round.
    programs: (question program, its options, contestants)."""
    rows = {}
    for _ in range(rounds):
        for program, options, contestants in programs:
            for who in contestants:
                path = os.path.join(BUILT, who, program)
                out = subprocess.run([path, *options], stdout=subprocess.PIPE, check=True, text=True).stdout
                for line in out.splitlines():
                    metric, unit, *values = line.split()
                    of = statistics.median if unit == "x" else min  # the minimum of a time, because other load only adds
                    rows.setdefault((who, metric, unit), []).append("%.4g" % of(float(v) for v in values))
    with open(os.path.join(FOLDER, name + ".txt"), "w", encoding="ascii") as file:
        file.write("# %s\n# %s; %d rounds; written and drawn by bench/scale_charts.py\n" % (about, processor(), rounds))
        for (who, metric, unit), values in sorted(rows.items()):
            file.write("%-6s %s %s %s\n" % (who, metric, unit, " ".join(values)))


def measure_all():
    measure("mapping_growth", "1 to 10^6 separately allocated arrays of 64 bytes, in random order; one thread; peer: LLVM 19",
            [("q_mapping_scale", [], ["static", "dropin", "peer", "limit"]),
             ("q_mapping_scale", ["--million"], ["static", "peer"])], 3)
    measure("threads_real", "fork and join, reductions and separate mappings by threads; peer: LLVM 19, host: libomp, gomp: libgomp",
            [("q_threads", ["--only", "threads/parallel"], ["static", "host", "gomp"]),
             ("q_threads", ["--only", "threads/reduce_1"], ["static", "host", "gomp"]),
             ("q_mapping_threads", [], ["static", "dropin", "peer"])], 5)


def mappings():
    """Draws the minima of lines "CONTESTANT mapping_scale/WHAT_1eN UNIT value ..."."""
    values = {}
    for line in open(os.path.join(FOLDER, "mapping_growth.txt"), encoding="ascii"):
        found = re.match(r"(\w+) +mapping_(?:scale|million)/(\w+)_1e(\d) (\w+) (.*)", line)
        if not found:
            continue
        who, what, power, unit, numbers = found.groups()
        title = {"memory": "bytes for each mapping"}.get(what, "%s, ns" % what)
        lowest = min(float(n) for n in numbers.split())
        values.setdefault(title, {}).setdefault(who, []).append((10 ** int(power), lowest))
    ticks = [(10 ** p, "1e%d" % p) for p in range(7)]
    wanted = ["enter, ns", "exit, ns", "look_up, ns", "launch, ns", "launch_8, ns"]
    chart("mapping_growth", [(title, values[title]) for title in wanted], ticks,
          "cost of one mapping by number of mappings; separately allocated arrays, random order")


def threads():
    values = {}
    for line in open(os.path.join(FOLDER, "scale.txt"), encoding="ascii"):
        found = re.match(r"(\w+) +(\d+) (solo|flat|hyper|central) +(\d+) ", line)
        if found:
            what, n, who, chain = found.groups()
            values.setdefault(what, {}).setdefault(who, []).append((int(n), int(chain)))
    ticks = [(2 ** p, str(2 ** p)) for p in range(1, 10, 2)]
    chart("threads_growth", [(what, values[what]) for what in values], ticks,
          "longest chain of dependent cache line transfers, by threads (model)")


def real_threads():
    fork, mapped = {}, {}
    for line in open(os.path.join(FOLDER, "threads_real.txt"), encoding="ascii"):
        found = re.match(r"(\w+) +(threads/parallel|mapping_threads/same)_(\d+)(\.one)? (?:ns|x) (.*)", line)
        if not found:
            continue
        who, what, n, one, numbers = found.groups()
        values = sorted(float(v) for v in numbers.split())
        if what == "threads/parallel":
            fork.setdefault(who, []).append((int(n), values[0]))
        elif one:
            mapped.setdefault(who, {})[1] = 1e3 / values[0]
        else:
            mapped.setdefault(who, {})[int(n)] = values[len(values) // 2]
    # throughput: that of one thread times the ratio
    mapped = {who: [(1, of[1])] + [(n, of[1] * of[n]) for n in sorted(of) if n > 1] for who, of in mapped.items()}
    chart("threads_real", [("fork and join, ns", {who: sorted(points) for who, points in fork.items()}),
                           ("512 B mapped and unmapped, 10^6/s", mapped)],
          [(n, str(n)) for n in (1, 2, 4, 8)], "by threads, on the machine of bench/results/threads_real.txt")


if sys.argv[1:] == ["--measure"]:
    measure_all()
mappings()
threads()
if os.path.exists(os.path.join(FOLDER, "threads_real.txt")):
    real_threads()
