"""The table of a comparison."""

from collections import Counter


def render(results, details):
    lines = []
    for result in sorted(results, key=lambda result: (result.format, str(result.path))):
        if result.is_remarkable:
            lines.append(f"{result.format}: {result.path}: {result.summary}")
            lines += [f"    {text}" for text in result.differences[:details]]
            lines += [f"    {text}" for text in result.notes[:details]]
    detected = [result for result in results if result.detected and not result.is_remarkable]
    if detected:
        lines += ["", "Equal with the labels that were detected:"]
        lines += [f"    {result.path}: {result.detected}" for result in detected]
    return lines + [""] + _table(results)


def _table(results):
    header = ["format", "files", "rows", "cells", "equal", "differ", "rejects", "failures",
              "unread by Python", "by both"]
    rows = []
    for name in sorted({result.format for result in results}) + ["all"]:
        some = [result for result in results if name in (result.format, "all")]
        kinds = Counter(result.kind for result in some)
        rows.append([name, len(some), sum(result.rows for result in some),
                     sum(result.cells for result in some), kinds["equal"], kinds["differs"],
                     kinds["rejects"], kinds["fails"], kinds["unread"], kinds["neither"]])
    texts = [header] + [[f"{cell:,}" if isinstance(cell, int) else cell for cell in row]
                        for row in rows]
    widths = [max(len(row[column]) for row in texts) for column in range(len(header))]
    lines = [" | ".join(cell.ljust(width) if column == 0 else cell.rjust(width)
                        for column, (cell, width) in enumerate(zip(row, widths)))
             for row in texts]
    rule = "|".join("-" * (width + 2) for width in widths)
    return ["| " + lines[0] + " |", "|" + rule + "|"] + [f"| {line} |" for line in lines[1:]]
