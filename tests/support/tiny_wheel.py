"""The smallest wheel there is: a package `tiny` with one number in it."""

import zipfile

NAME = "tiny-1.0-py3-none-any.whl"
_FILES = {
    "tiny.py": "answer = 42\n",
    "tiny-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
    "tiny-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: by-hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "tiny-1.0.dist-info/RECORD": "tiny.py,,\ntiny-1.0.dist-info/METADATA,,\ntiny-1.0.dist-info/WHEEL,,\ntiny-1.0.dist-info/RECORD,,\n",
}


def write_tiny_wheel(folder):
    with zipfile.ZipFile(folder / NAME, "w") as wheel:
        for name, text in _FILES.items():
            wheel.writestr(name, text)
    return NAME
