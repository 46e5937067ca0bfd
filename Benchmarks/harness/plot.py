"""A plot of lines over logarithmic axes, as SVG."""

from math import ceil, floor, log10

WIDTH, HEIGHT, LEFT, BOTTOM, EDGE = 640, 400, 70, 50, 20
COLORS = ["#1f5fbf", "#bf5f1f", "#1f8f4f"]


class Axis:
    """A logarithmic scale from values to pixels."""

    def __init__(self, values, start, end):
        self.first, self.last = floor(log10(min(values))), ceil(log10(max(values)))
        self.start, self.end = start, end

    def place(self, value):
        part = (log10(value) - self.first) / max(self.last - self.first, 1)
        return round(self.start + part * (self.end - self.start), 1)

    def decades(self):
        return [10 ** power for power in range(self.first, self.last + 1)]


def write(path, across, up, lines):
    """Writes a plot.

    `across` and `up` name the axes; `lines` maps names to points (x, y). A dashed line of slope 1
    shows linear growth.
    """
    points = [point for line in lines.values() for point in line]
    x = Axis([point[0] for point in points], LEFT, WIDTH - EDGE)
    y = Axis([point[1] for point in points], HEIGHT - BOTTOM, EDGE)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        *grid(x, y),
        f'<text x="{WIDTH // 2}" y="{HEIGHT - 12}" text-anchor="middle">{across}</text>',
        f'<text x="16" y="{HEIGHT // 2}" text-anchor="middle" '
        f'transform="rotate(-90 16 {HEIGHT // 2})">{up}</text>',
        slope_one(points[-1], points[0][0], x, y),
    ]
    for number, (name, line) in enumerate(lines.items()):
        color = COLORS[number % len(COLORS)]
        places = " ".join(f"{x.place(a)},{y.place(b)}" for a, b in line)
        parts.append(f'<polyline points="{places}" fill="none" stroke="{color}" '
                     'stroke-width="2"/>')
        parts += [f'<circle cx="{x.place(a)}" cy="{y.place(b)}" r="3" fill="{color}"/>'
                  for a, b in line]
        parts.append(f'<text x="{LEFT + 12}" y="{EDGE + 20 + 18 * number}" '
                     f'fill="{color}">{name}</text>')
    path.write_text("\n".join([*parts, "</svg>", ""]), encoding="utf-8")


def grid(x, y):
    line = '<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="#ddd"/>'
    for value in x.decades():
        yield line.format(x.place(value), y.start, x.place(value), y.end)
        yield (f'<text x="{x.place(value)}" y="{y.start + 16}" text-anchor="middle">'
               f'{value:,.0f}</text>')
    for value in y.decades():
        yield line.format(x.start, y.place(value), x.end, y.place(value))
        yield f'<text x="{x.start - 6}" y="{y.place(value) + 4}" text-anchor="end">{value:g}</text>'


def slope_one(last, start, x, y):
    """A dashed line through the last point, down to `start` or to the bottom."""
    start = max(start, last[0] * 10 ** y.first / last[1])
    end = last[1] * start / last[0]
    return (f'<line x1="{x.place(start)}" y1="{y.place(end)}" x2="{x.place(last[0])}" '
            f'y2="{y.place(last[1])}" stroke="#888" stroke-dasharray="4 4"/>')
