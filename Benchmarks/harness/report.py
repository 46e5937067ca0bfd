"""The table of a run as Markdown that is also readable as plain text."""

import os
import platform
import shlex
import subprocess
from datetime import date


def seconds(value):
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.2f} s"


def mebibytes(value):
    return f"{value / 1024:.1f} MiB"


def times(value):
    return "" if value is None else f"{value:.2f}"


def table(rows, texts=2):
    """Lines of a Markdown table; the first row is the header, the first columns are text."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def line(cells):
        return "| " + " | ".join(
            cell.ljust(width) if column < texts else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(cells, widths))) + " |"

    rule = "|" + "|".join(
        "-" * (width + 2) if column < texts else "-" * (width + 1) + ":"
        for column, width in enumerate(widths)) + "|"
    return [line(rows[0]), rule, *map(line, rows[1:])]


def costs_table(results, base):
    header = ["work", "tool", "runs", "wall", "CPU", "peak memory",
              f"wall / {base}", f"CPU / {base}", f"memory / {base}"]
    rows = [header]
    for work, tools in results.items():
        for tool, facts in tools.items():
            wall, cpu, memory = facts["wall"], facts["cpu"], facts["kibibytes"]
            rows.append([work, tool, str(facts["runs"]), seconds(wall[0]), seconds(cpu[0]), mebibytes(memory[0]),
                         times(wall[1]), times(cpu[1]), times(memory[1])])
    return table(rows)


def machine():
    model = platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next(line.split(":", 1)[1].strip() for line in file
                         if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()} {platform.release()}"


def version(engine):
    done = subprocess.run(engine.version(), capture_output=True, text=True)
    words = done.stdout.strip()
    return words if words.startswith(engine.name) else f"{engine.name} {words}".strip()


def render(results, commands, engines, options, floor, base):
    lines = [
        f"{date.today().isoformat()}, {machine()}; {', '.join(map(version, engines))}; "
        f"{options.pairs} alternating runs each after a warm-up run, fewer for slow tools"
        + ("; files of 1/10 of the size" if options.small else "")
        + ("; files cold" if options.cold else "; files warm") + ".",
        "Whole processes: medians, and medians of the ratios run by run. Peak memory includes the "
        f"pages of mapped files and cannot be measured below {mebibytes(floor)}.",
        "",
        *costs_table(results, base),
        "",
        "The commands:",
        "",
        "```sh",
    ]
    for work, by_tool in commands.items():
        lines.append(f"# {work}")
        lines += [" ".join(map(shorten, command)) for command in by_tool.values()]
    return lines + ["```"]


def shorten(argument):
    """An argument quoted for the shell, without the folder of a program."""
    if argument.startswith("/") and os.path.exists(argument) and argument != "/dev/null":
        argument = os.path.basename(argument)
    if "'" in argument and not any(mark in argument for mark in '"$`\\!'):
        return f'"{argument}"'
    return shlex.quote(argument)


def growth(results, program, runs):
    """The table of rows, bytes and costs."""
    rows = [["rows", "file", "wall", "CPU", "peak memory", "wall a row"]]
    for count, size, costs in results:
        rows.append([f"{count:,}", f"{size / 1e6:,.0f} MB", seconds(costs["wall"]),
                     seconds(costs["cpu"]), mebibytes(costs["kibibytes"]),
                     f"{costs['wall'] / count * 1e9:.0f} ns"])
    return [f"{date.today().isoformat()}, {machine()}; {version(program)}; medians of {runs} runs "
            "after a warm-up run, fewer for slow files.", "", *table(rows)]


def formats(results, rows, runs):
    """The table of formats; a ratio over 1 means that dsshell is faster."""
    lines = [["format", "reader of Python", "file", "dsshell", "rows a second", "memory", "Python",
              "rows a second", "memory", "ratio"]]
    for work, (size, costs) in results.items():
        row = [work.name, work.reader, f"{size / 1e6:.1f} MB"]
        for name in ("dsshell", "Python"):
            wall = costs[name]["wall"][0]
            row += [seconds(wall), f"{rows / wall:,.0f}", mebibytes(costs[name]["kibibytes"][0])]
        lines.append(row + [times(costs["Python"]["wall"][1])])
    return [f"{date.today().isoformat()}, {machine()}; Python {platform.python_version()}; "
            f"{rows:,} rows of 8 keys; medians of {runs} alternating runs after a warm-up run, "
            "fewer for slow tools; the ratio is that of the wall times, run by run.", "",
            *table(lines)]


def record(path, name, lines):
    """Replaces the lines between the marks of this name in a document."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(begin, 1)
    _, after = rest.split(end, 1)
    path.write_text(before + "\n".join([begin, "", *lines, "", end]) + after, encoding="utf-8")
