"""The growth as a drawing: both axes logarithmic, a line for each, in the reader's light or dark."""

from math import log10

from .growth import WHO

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 680, 340, 64, 190, 16, 48
COLOURS = {
    "stock": ("#b34d12", "#f0914f"),
    "fast": ("#2b6cb0", "#6cb0f2"),
    "ort 1": ("#5d6f2e", "#a9bf6a"),
}  # light, dark


def style() -> str:
    """Who is who by colour; each has a class, for a page's dark needs lighter ones."""
    light, dark = ("".join(f".{kind(who)}{{color:{both[of]}}}" for who, both in COLOURS.items()) for of in (0, 1))
    return f"""text{{font:13px system-ui,sans-serif;fill:#444}}.grid{{stroke:#8884}}.line{{fill:none;stroke:currentColor;stroke-width:2.5}}
.who{{fill:currentColor}}{light}
@media(prefers-color-scheme:dark){{text{{fill:#ccc}}.who{{fill:currentColor}}{dark}}}"""


def kind(who: str) -> str:
    return who.replace(" ", "-")


def chart(told: dict) -> str:
    rows = told["rows"]
    sizes = [row["n"] for row in rows]
    times = [row[name] for row in rows for name in WHO]
    low, high = int(log10(min(times)) // 1), int(-(-log10(max(times)) // 1))

    def x(n):
        share = (log10(n) - log10(sizes[0])) / (log10(sizes[-1]) - log10(sizes[0]))
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(ms):
        return round(TOP + (high - log10(ms)) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    def text(at_x, at_y, words, anchor="middle", **more):
        given = "".join(f' {name}="{value}"' for name, value in more.items())
        return f'<text x="{at_x}" y="{at_y}" text-anchor="{anchor}"{given}>{words}</text>'

    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = []
    for power in range(low, high + 1):
        parts.append(f'<path class="grid" d="M{LEFT} {y(10**power)}H{right}"/>')
        parts.append(text(LEFT - 8, y(10**power) + 4, f"{10**power:g}", "end"))
    for n in sizes:
        parts.append(f'<path class="grid" d="M{x(n)} {TOP}V{bottom}"/>')
        parts.append(text(x(n), bottom + 18, n))
    parts += [text((LEFT + right) / 2, HEIGHT - 8, "n"), text(14, (TOP + bottom) / 2, "ms")]
    for name in WHO:
        points = " ".join(f"{x(row['n'])},{y(row[name])}" for row in rows)
        parts.append(f'<polyline class="line {kind(name)}" points="{points}"/>')
        parts += [f'<circle class="who {kind(name)}" cx="{x(row["n"])}" cy="{y(row[name])}" r="3.5"/>' for row in rows]
    places = sorted(WHO, key=lambda name: y(rows[-1][name]))
    last = 0.0
    for name in places:  # beside the ends of the lines, and not over one another
        last = max(y(rows[-1][name]) + 4, last + 18)
        label = f'{WHO[name]}, n<tspan dy="-5" font-size="10">{told["exponents"][name]:.2f}</tspan>'
        parts.append(text(right + 10, last, label, "start", **{"class": f"who {kind(name)}"}))
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
    return "\n".join([opening, f"<style>{style()}</style>", *parts, "</svg>\n"])
