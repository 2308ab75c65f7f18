"""No file names a package registry: clients know theirs, and closed networks have their own."""

import re

from tracked import name, text_files

# In pieces, so that this file does not name them either.
HOSTS = [
    ("pypi", "org"),
    ("pythonhosted", "org"),
    ("npmjs", "org"),
    ("npmjs", "com"),
    ("yarnpkg", "com"),
    ("unpkg", "com"),
    ("debian", "org"),
    ("ubuntu", "com"),
    ("anaconda", "org"),
    ("conda", "io"),
    ("crates", "io"),
    ("npmmirror", "com"),
    ("taobao", "org"),
]
PATTERN = re.compile(r"\b(?:" + "|".join(re.escape(".".join(host)) for host in HOSTS) + r")\b", re.IGNORECASE)


def test_no_registry_host():
    found = {name(path): PATTERN.findall(path.read_text("utf-8")) for path in text_files()}
    assert {path: hosts for path, hosts in found.items() if hosts} == {}


def test_the_lock_files_are_among_them():
    names = {name(path) for path in text_files()}
    assert {"package-lock.json", "py/sitebuild/lock.json", "py/sitebuild/requirements/build.txt", ".npmrc"} <= names


def test_the_rule_finds_what_it_should():
    assert all(PATTERN.search("https://files." + ".".join(host) + "/simple") for host in HOSTS)
    assert not PATTERN.search("the npm registry, PyPI, Debian")
