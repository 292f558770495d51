#!/usr/bin/env python3
"""Compares the virtual GPU with the CPU device, in alternating processes (bench/q_simt.c).
    python3 bench/simt.py [ROUNDS]   builds, measures, writes bench/results/simt.txt and simt.svg"""
import os
import statistics
import subprocess
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(FOLDER, "..", "build", "bench", "simt")
DEVICES = {"host": [], "sm_90": ["--targets=simt-sm_90"], "gfx90a": ["--targets=simt-gfx90a"]}
PROMISED = {"axpy": 10, "sum": 10, "tree": 30, "math": 10, "atomics": 10}


def build():
    os.makedirs(BUILT, exist_ok=True)
    for device, options in DEVICES.items():
        subprocess.run([os.path.join(FOLDER, "..", "build", "bin", "solo-cc"), "--static", *options, "-O2",
                        "-Wno-openmp-mapping", os.path.join(FOLDER, "q_simt.c"), "-o",
                        os.path.join(BUILT, device), "-lm"], check=True)


def started(program):
    """Milliseconds of a process that executes one empty region."""
    begin = time.perf_counter()
    subprocess.run([program, "--start"], check=True)
    return (time.perf_counter() - begin) * 1000


def measure(rounds):
    """Returns {kernel: {device: [(milliseconds, milliseconds of processor time)]}}."""
    times = {}
    for i in range(rounds):
        for device in list(DEVICES)[::-1 if i % 2 else 1]:
            program = os.path.join(BUILT, device)
            first = min(started(program) for _ in range(5))
            times.setdefault("start", {}).setdefault(device, []).append((first, first))
            done = subprocess.run([program], stdout=subprocess.PIPE, check=True, text=True)
            for line in done.stdout.splitlines():
                name, spent, cpu = line.split()
                times.setdefault(name, {}).setdefault(device, []).append((float(spent), float(cpu)))
    return times


def write_table(times, rounds):
    with open(os.path.join(FOLDER, "results", "simt.txt"), "w", encoding="ascii") as out:
        print(f"# python3 bench/simt.py {rounds}: milliseconds, medians of {rounds} rounds (each the minimum of 15 calls); "
              f"load {os.getloadavg()[0]:.1f}", file=out)
        print("# ratio: virtual GPU / host in one round, median; cpu: the same for processor time; limit: the promise",
              file=out)
        print(f"{'kernel':12}{'host':>9}{'sm_90':>9}{'ratio':>7}{'cpu':>7}{'gfx90a':>9}{'ratio':>7}{'cpu':>7}{'limit':>7}",
              file=out)
        for name, of in times.items():
            row = f"{name:12}{statistics.median(t for t, _ in of['host']):9.3f}"
            for device in ("sm_90", "gfx90a"):
                row += f"{statistics.median(t for t, _ in of[device]):9.3f}"
                for k in (0, 1):
                    row += f"{statistics.median(a[k] / b[k] for a, b in zip(of[device], of['host'])):7.1f}"
            print(row + f"{PROMISED.get(name, ''):>7}", file=out)


def draw(times):
    """Bars on a logarithmic scale: the ratio of elapsed time."""
    import math
    names = [n for n in times if n != "start"]
    height = 30 * len(names) + 60
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{height}" font-family="sans-serif" font-size="12">',
           '<text x="10" y="20">virtual GPU: time relative to the CPU device (logarithmic; line: promise)</text>']
    for i, name in enumerate(names):
        y = 40 + 30 * i
        out.append(f'<text x="10" y="{y + 14}">{name}</text>')
        for k, (device, colour) in enumerate((("sm_90", "#0b6e4f"), ("gfx90a", "#e0a030"))):
            ratio = statistics.median(a[0] / b[0] for a, b in zip(times[name][device], times[name]["host"]))
            width = max(2, 150 * math.log10(max(ratio, 1)))
            out.append(f'<rect x="100" y="{y + 11 * k}" width="{width:.0f}" height="10" fill="{colour}"/>')
            out.append(f'<text x="{104 + width:.0f}" y="{y + 9 + 11 * k}" font-size="10">{ratio:.1f} {device}</text>')
        if name in PROMISED:
            x = 100 + 150 * math.log10(PROMISED[name])
            out.append(f'<line x1="{x:.0f}" y1="{y - 2}" x2="{x:.0f}" y2="{y + 24}" stroke="#c02020"/>')
    with open(os.path.join(FOLDER, "results", "simt.svg"), "w", encoding="ascii") as file:
        print("\n".join(out + ["</svg>"]), file=file)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    build()
    times = measure(rounds)
    write_table(times, rounds)
    draw(times)
    print(open(os.path.join(FOLDER, "results", "simt.txt"), encoding="ascii").read(), end="")


if __name__ == "__main__":
    main()
