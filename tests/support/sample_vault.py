"""Two notes with three blocks, one of them with a picture: stands in for a vault."""

HEADER = "import micropip\nawait micropip.install('numpy')\nimport numpy as np\n"
WEIGHTS = """rng = np.random.default_rng(4)
Q, K = rng.normal(size=(2, 3, 4))
scores = Q @ K.T / 2
weights = np.exp(scores - scores.max(-1, keepdims=True))
weights /= weights.sum(-1, keepdims=True)
print(weights.round(3))
"""
PICTURE = """import base64, struct, zlib
weights = np.eye(3) * 0.5 + 0.1
rows = (255 * weights / weights.max()).astype(np.uint8)
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
png = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">2I5B", 3, 3, 8, 0, 0, 0, 0))
png += chunk(b"IDAT", zlib.compress(b"".join(b"\\0" + row.tobytes() for row in rows))) + chunk(b"IEND", b"")
print(f'<div>weights<br><img width="96" src="data:image/png;base64,{base64.b64encode(png).decode()}"></div>')
"""
MASK = "mask = np.triu(np.full((3, 3), -np.inf), 1)\nprint('<pre>' + '&#10;'.join(map(str, mask)) + '</pre>')\n"


def write_sample_vault(folder, title):
    fence = "```python\n{}{}```\n".format
    first = (
        f"---\ntags: [x]\n---\n# {title} 1\n\n{fence(HEADER, WEIGHTS)}\n> [!note]\n> text\n\n{fence(HEADER, PICTURE)}"
    )
    second = f"# {title} 2\n\n```text\nprint(1)\n```\n\n{fence(HEADER, MASK)}"
    folder.mkdir(parents=True)
    (folder / "1.md").write_text(first, "utf-8")
    (folder / "2.md").write_text(second, "utf-8")
    (folder / "index.md").write_text("[[1]] [[2]]\n", "utf-8")
    return folder
