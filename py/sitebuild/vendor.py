"""What the page takes from npm: installed from the lock file, bundled once into web/vendor/."""

from pathlib import Path

from .command import run
from .console import say
from .node import find_node
from .paths import NODE_MODULES, ROOT, VENDOR, WEB, cache_folder
from .python_env import OFFLINE_REMEDY
from .stamps import Stamp, fingerprint

BUNDLES = WEB / "bundle"


def ensure_node_modules(folder: Path = ROOT) -> None:
    """Have in the folder's node_modules/ what its lock file names."""
    mark = fingerprint(folder / "package-lock.json", folder / "package.json")
    stamp = Stamp(folder / "node_modules" / ".seeformer-stamp")
    if stamp.holds(mark):
        return
    stamp.drop()
    node = find_node()
    cache = cache_folder() / "npm"
    # No install scripts: nothing we take needs one (esbuild's only replaces its launcher).
    command = [node.npm, "ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
    command += ["--cache", cache]
    options = {"remedy": OFFLINE_REMEDY.replace("pip", "npm"), "env": node.env, "watch": cache, "cwd": folder}
    look = [*command, "--offline"]
    if not run(look, name="npm-cached", doing="npm packages: looking in the cache", may_fail=True, **options):
        patience = ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=4000"]
        run([*command, "--prefer-offline", *patience], name="npm", doing="npm packages: downloading", **options)
    stamp.set(mark)


def bundle() -> None:
    """web/bundle/<name>.js says what we take of a library; esbuild makes web/vendor/<name>.js of it."""
    ensure_node_modules()
    mark = fingerprint(BUNDLES, ROOT / "package-lock.json")
    stamp = Stamp(VENDOR / ".seeformer-stamp")
    if stamp.holds(mark):
        return
    stamp.drop()
    entries = sorted(BUNDLES.glob("*.js"))
    node = find_node()
    # No code splitting: the bundles share too little, and one file a library is easier to load from anywhere.
    run(
        [node.node, NODE_MODULES / "esbuild" / "bin" / "esbuild", *entries, "--bundle", "--format=esm", "--minify",
         "--target=es2022", "--legal-comments=eof", "--charset=utf8", f"--outdir={VENDOR}", "--log-level=warning"],
        name="esbuild",
        doing="bundling vendor libraries",
        remedy="mend the import in web/bundle/ that esbuild names above",
        show_output=True,
    )  # fmt: skip
    for old in VENDOR.glob("*.js"):
        if not (BUNDLES / old.name).exists():
            old.unlink()
    stamp.set(mark)
    say(f"vendor libraries: {', '.join(entry.stem for entry in entries)}")
