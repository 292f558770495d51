#!/usr/bin/env python3
"""Renders the trace that LIBOMPTARGET_PROFILE=FILE left as a picture: a lane per thread, constructs above
what happened inside them, and a table of where the time went.

    solo-trace.py TRACE.json PICTURE.svg      (- as PICTURE: the table alone, as text)
"""
import json
import sys
from html import escape

COLOURS = {"kernel": "#4878a8", "copy": "#d08a3e", "memory": "#8a6fb0", "set-up": "#999999",
           "wait": "#bbbbbb", "construct": "#dfe7ef"}
WIDTH, LEFT, ROW = 960, 150, 18


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


def levels(events):
    """The depth of each event among those of its thread."""
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
    """Rows: kind, name and place, count, total, share of the whole time."""
    sums = {}
    for event in events:
        if kind(event) == "construct":
            continue
        key = (kind(event), " ".join(filter(None, (event["name"], place(event)))))
        count, total, data = sums.get(key, (0, 0.0, 0))
        sums[key] = (count + 1, total + event["dur"], data + event.get("args", {}).get("bytes", 0))
    for (what, name), (count, total, data) in sorted(sums.items(), key=lambda s: -s[1][1]):
        rate = " %.1f GB/s" % (data / total / 1e3) if data and total and what == "copy" else ""
        yield what, name, count, total, 100 * total / whole, rate


def picture(events):
    start = min(e["ts"] for e in events)
    whole = max(e["ts"] + e["dur"] for e in events) - start
    scale = (WIDTH - LEFT - 20) / whole
    out, y = [], 40
    for thread in sorted({e["tid"] for e in events}):
        mine = [e for e in events if e["tid"] == thread]
        depth = levels(mine)
        out.append('<text x="8" y="%d">thread %d</text>' % (y + 13, thread))
        for e in mine:
            x, w = LEFT + (e["ts"] - start) * scale, max(e["dur"] * scale, 0.6)
            label = "%s, %s %s" % (e["name"], time(e["dur"]), place(e))
            top = y + ROW * depth[id(e)]
            out.append('<rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s"><title>%s</title></rect>' %
                       (x, top, w, ROW - 2, COLOURS[kind(e)], escape(label)))
            if w > 7 * len(e["name"]):
                out.append('<text x="%.1f" y="%d" class="in">%s</text>' % (x + 3, top + 12, escape(e["name"])))
        y += ROW * (max(depth.values()) + 1) + 10
    for i in range(6):
        x = LEFT + (WIDTH - LEFT - 20) * i / 5
        out.append('<line x1="%.1f" y1="34" x2="%.1f" y2="%d" stroke="#ccc"/>' % (x, x, y))
        out.append('<text x="%.1f" y="30" text-anchor="middle">%s</text>' % (x, time(whole * i / 5)))
    y += 20
    for what, name, count, total, share, rate in table(events, whole):
        out.append('<rect x="8" y="%d" width="12" height="12" fill="%s"/>' % (y - 10, COLOURS[what]))
        out.append('<text x="28" y="%d">%s</text><text x="560" y="%d">%d x</text>'
                   '<text x="620" y="%d">%s, %.0f %% of the time%s</text>' %
                   (y, escape("%s: %s" % (what, name)[:80]), y, count, y, time(total), share, rate))
        y += 16
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" '
            'font-size="11"><style>.in{fill:#fff;pointer-events:none}</style>'
            '<rect width="100%%" height="100%%" fill="#fff"/>\n%s\n</svg>\n' %
            (WIDTH, y + 4, "\n".join(out)))


def main():
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
    for what, name, count, total, share, rate in table(events, whole):
        print("%5.1f %%  %-9s %6d x  %10s%s  %s" % (share, what, count, time(total), rate, name))


main()
