#!/usr/bin/env python3
"""Renders a trace of LIBOMPTARGET_PROFILE=FILE: a lane per thread, constructs above their parts, and a table
of times.

    solo-trace.py TRACE.json PICTURE.svg      (PICTURE -: only the table, as text)
"""
import json
import math
import re
import signal
import sys
from html import escape

COLOURS = {"kernel": "#4878a8", "copy": "#d08a3e", "memory": "#8a6fb0", "set-up": "#999999",
           "wait": "#bbbbbb", "construct": "#dfe7ef"}
WIDTH, LEFT, RIGHT, ROW, CHARACTER = 960, 100, 40, 20, 6.2


def kind(event):
    category = event["cat"]
    if category in ("HostToDev", "DevToHost", "DevToDev") or "copy" in category.lower():
        return "copy"
    if category in ("DevAlloc", "DevFree"):
        return "memory"
    if "synchronize" in event["name"] or "synchronize" in category:
        return "wait"
    if "init" in category or "image" in category:
        return "set-up"
    if event.get("args", {}).get("teams") is not None or "kernel" in category.lower():
        return "kernel"
    return "construct"


def place(event):
    fields = event.get("args", {}).get("location", "").split(";")
    return "%s:%s" % (fields[1], fields[3]) if len(fields) > 4 else ""


def short(event):
    """A readable name: function and line of a kernel, or the construct."""
    kernel = re.match(r"__omp_offloading_[0-9a-f]+_[0-9a-f]+_(.*)_l(\d+)$", event["name"])
    if kernel:
        return "%s, line %s" % kernel.groups()
    return {"HostToDev": "copy to device", "DevToHost": "copy to host", "DevToDev": "copy on device",
            "DevAlloc": "allocate", "DevFree": "free"}.get(event["name"], event["name"].replace("Runtime: ", ""))


def levels(events):
    """The nesting depth of each event in its thread."""
    out, open_until = {}, []
    for event in sorted(events, key=lambda e: (e["ts"], -e["dur"])):
        while open_until and open_until[-1] <= event["ts"]:
            open_until.pop()
        out[id(event)] = len(open_until)
        open_until.append(event["ts"] + event["dur"])
    return out


def time(us):
    return "%.3g ms" % (us / 1e3) if us >= 1e3 else "%.3g us" % us


def table(events, whole):
    sums = {}
    for event in events:
        if kind(event) == "construct":
            continue
        key = (kind(event), event["name"], short(event), place(event))
        count, total, data = sums.get(key, (0, 0.0, 0))
        sums[key] = (count + 1, total + event["dur"], data + event.get("args", {}).get("bytes", 0))
    for (what, name, brief, where), (count, total, data) in sorted(sums.items(), key=lambda s: -s[1][1]):
        rate = "%.1f GB/s" % (data / total / 1e3) if data and total and what == "copy" else ""
        yield what, name, brief, where, count, total, 100 * total / whole, rate


def ticks(whole):
    """Returns four to eight round times."""
    step = 10 ** math.floor(math.log10(whole / 4))
    step *= max(m for m in (1, 2, 5) if m * step <= whole / 4)
    return [i * step for i in range(int(whole / step) + 1)]


def cell(x, y, text, anchor="start", style=""):
    return '<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>' % (x, y, anchor, style, escape(text))


def bar(event, x, top, width):
    what, name = kind(event), short(event)
    out = ('<rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s" stroke="#fff" stroke-width="%.1f">'
           '<title>%s</title></rect>' %
           (x, top, max(width, 0.6), ROW - 2, COLOURS[what], 1 if width > 3 else 0,
            escape("%s, %s %s" % (name, time(event["dur"]), place(event)))))
    room = int((width - 8) / CHARACTER)
    label = name if len(name) <= room else name[:room - 1] + "\u2026" if room > 5 else ""
    if label:
        dark = what in ("construct", "wait")
        out += cell(x + 4, top + 13, label, style=' fill="%s" pointer-events="none"' % ("#234" if dark else "#fff"))
    return out


def rows(events, whole, y):
    titles = (28, "start", "what"), (430, "start", "where"), (600, "end", "times"), (690, "end", "total"), \
        (770, "end", "share"), (860, "end", "rate")
    yield "".join(cell(x, y, title, anchor, ' fill="#666"') for x, anchor, title in titles)
    for what, _, brief, where, count, total, share, rate in table(events, whole):
        y += 17
        values = brief if what in brief else "%s: %s" % (what, brief), where, "%d" % count, time(total), "%.1f %%" % share, rate
        yield '<rect x="8" y="%d" width="12" height="12" fill="%s"/>' % (y - 10, COLOURS[what])
        yield "".join(cell(x, y, value, anchor) for (x, anchor, _), value in zip(titles, values))


def picture(events):
    start = min(e["ts"] for e in events)
    whole = max(e["ts"] + e["dur"] for e in events) - start
    scale = (WIDTH - LEFT - RIGHT) / whole
    lanes, y = [], 36
    for thread in sorted({e["tid"] for e in events}):
        mine = [e for e in events if e["tid"] == thread]
        depth = levels(mine)
        lanes.append(cell(8, y + 13, "thread %d" % thread))
        for e in mine:
            lanes.append(bar(e, LEFT + (e["ts"] - start) * scale, y + ROW * depth[id(e)], e["dur"] * scale))
        y += ROW * (max(depth.values()) + 1) + 10
    grid = []
    for tick in ticks(whole):
        x = LEFT + tick * scale
        grid.append('<line x1="%.1f" y1="28" x2="%.1f" y2="%d" stroke="#ccc"/>' % (x, x, y - 4))
        grid.append(cell(x, 22, time(tick) if tick else "0", "middle", ' fill="#666"'))
    below = list(rows(events, whole, y + 22))
    height = y + 22 + 17 * (len(below) // 2) + 12
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">'
            '<rect width="100%%" height="100%%" fill="#fff"/>\n%s\n</svg>\n' %
            (WIDTH, height, "\n".join(grid + lanes + below)))


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ... | head
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    with open(sys.argv[1]) as file:
        trace = json.load(file)
    events = [e for e in trace["traceEvents"] if e.get("ph") == "X"]
    if not events:
        sys.exit("solo-trace.py: %s has no events" % sys.argv[1])
    if sys.argv[2] != "-":
        with open(sys.argv[2], "w") as file:
            file.write(picture(events))
    start = min(e["ts"] for e in events)
    whole = max(e["ts"] + e["dur"] for e in events) - start
    print("%s in %d events" % (time(whole), len(events)))
    for what, name, _, where, count, total, share, rate in table(events, whole):
        print("%5.1f %%  %-9s %6d x  %10s %9s  %s" % (share, what, count, time(total), rate, " ".join((name, where))))


main()
