"""Subcommands of build.py, and the only place that turns errors into exit codes."""

import argparse
import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
import webbrowser
from pathlib import Path

from .bench import PARTS
from .console import say
from .errors import BuildError, DiskFull
from .labs import languages
from .one_at_a_time import one_at_a_time
from .paths import NODE_MODULES, PY, ROOT, SITE, VENDOR, VENV, VENV_PYTHON, WORK, cache_folder

PORT = 8000


def main(argv: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if argv is None else argv
    parser = _parser()
    if not arguments:
        parser.print_help()
        return 0
    options, rest = parser.parse_known_args(arguments)
    if rest and options.command != "test":
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl-C does: no child outlives us
    try:
        return options.work(options, rest) or 0
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        print(DiskFull(error.filename or "writing"), file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="build.py", description="Fetch, build, serve and test seeformer.")
    commands = parser.add_subparsers(dest="command", metavar="command")
    serve = commands.add_parser("serve", help="build, and serve the page on this machine")
    serve.add_argument("--port", type=_port, default=PORT, help=f"default {PORT}; 0 takes any free one")
    serve.add_argument("--no-open", action="store_true", help="do not open a browser")
    network = "let the page fetch from anywhere: cells may then install any package"
    serve.add_argument("--allow-network", action="store_true", help=network)
    serve.set_defaults(work=_serve)
    commands.add_parser("build", help="leave in site/ what any static server can serve").set_defaults(work=_build)
    vault = commands.add_parser("vault", help="write the course as folders that open in Obsidian")
    vault.add_argument(
        "--lang", choices=languages(), help="one language, straight into DIR; default both, side by side"
    )
    vault.add_argument("--out", metavar="DIR", default="vault", help="default vault")
    beside = "where the reader has changed a note, write the new one beside it"
    vault.add_argument("--merge", action="store_true", help=beside)
    vault.set_defaults(work=_vault)
    wheel = commands.add_parser("wheel", help="build the Python wheel, or that of seeformer.fast alone, into DIR")
    wheel.add_argument("which", nargs="?", choices=["seeformer", "fast"], default="seeformer")
    wheel.add_argument("--out", metavar="DIR", default="dist", help="default dist")
    wheel.set_defaults(work=_wheel)
    away = "write the page for any static host into DIR: names with hashes, brotli and gzip beside each file"
    dist = commands.add_parser("dist", help=away)
    dist.add_argument("--out", metavar="DIR", default="dist/page", help="default dist/page")
    dist.set_defaults(work=_dist)
    compiling = "compile the C modules of seeformer.fast again (they are committed: only after a change)"
    commands.add_parser("compile", help=compiling).set_defaults(work=_compile)
    measuring = "measure speed beside the peers, print tables, write bench-results.json"
    bench = commands.add_parser("bench", help=measuring)
    bench.add_argument("parts", nargs="*", metavar="part", help=f"default all: {', '.join(PARTS)}")
    bench.add_argument("--quick", action="store_true", help="one round of each instead of five")
    bench.add_argument("--readme", action="store_true", help="measure nothing; put what was measured into the READMEs")
    bench.set_defaults(work=_bench)
    test = commands.add_parser("test", help="build, then run the tests; further arguments go to pytest", add_help=False)
    test.set_defaults(work=_test)
    equal = "print how far each model is from Hugging Face's, on committed values"
    commands.add_parser("parity", help=equal).set_defaults(work=_parity)
    clean = commands.add_parser("clean", help="remove everything built; downloads stay in the cache")
    clean.add_argument("--cache", action="store_true", help="remove the downloads too")
    clean.set_defaults(work=_clean)
    return parser


def _port(text: str) -> int:
    if not (text.isdecimal() and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text} is not a port: use a number from 0 to 65535")
    return int(text)


def _build(options, rest) -> None:
    from .site import build

    build()


def _serve(options, rest) -> None:
    from .freshness import Rebuild
    from .server import Server
    from .site import build

    with Server(SITE, options.port, network=options.allow_network) as server:  # first: a taken port is told at once
        server.refresh = Rebuild(build)
        build()
        say(f"seeformer is at {server.url} (Ctrl-C stops)")
        if not options.no_open and _has_display():
            threading.Thread(target=webbrowser.open, args=[server.url], daemon=True).start()
        server.serve_forever()


def _has_display() -> bool:
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _vault(options, rest) -> None:
    from .python_env import require
    from .vault.deliver import deliver
    from .vault.pack import vaults
    from .vendor import ensure_node_modules

    with one_at_a_time():
        require("build")
        ensure_node_modules()
        made = vaults()
    folder = Path(options.out).expanduser().resolve()
    for language, files in made.items():
        if options.lang in (None, language):
            target = folder if options.lang else folder / language
            done = deliver(files, target, merge=options.merge)
            yours = f", {len(done.kept)} changed by you and kept" if done.kept else ""
            written = len(done.written) + len(done.beside)
            say(f"{target}: {written} files written, {len(done.unchanged)} unchanged{yours}")
            for path, beside in done.beside.items():
                say(f"  {path} is yours and stays; the new one is {beside}")


def _wheel(options, rest) -> None:
    from .wheel import build_fast_wheel, build_wheel

    folder = Path(options.out).expanduser().resolve()
    with one_at_a_time():
        built = (build_fast_wheel if options.which == "fast" else build_wheel)()
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(built, folder / built.name)
    say(f"{folder / built.name} ({built.stat().st_size} bytes)")


def _dist(options, rest) -> None:
    from .dist import dist, table

    folder = Path(options.out).expanduser().resolve()
    visit = dist(folder)
    say(f"{folder} is ready for any static host; the first visit fetches, with brotli:\n{table(visit)}")


def _compile(options, rest) -> None:
    from .fast_modules import compile_fast

    with one_at_a_time():
        for module in compile_fast():
            say(f"{module} ({module.stat().st_size} bytes)")


def _bench(options, rest) -> int:
    from .bench import bench

    flags = [f"--{name}" for name in ("quick", "readme") if getattr(options, name)]
    return bench(options.parts, flags)


def _test(options, rest) -> int:
    from .browsers import ensure_browser, ensure_fonts
    from .generations import CODE_EMITTER
    from .older_numpy import ensure_older_numpy
    from .pyodide_files import ensure_files
    from .python_env import require
    from .site import build

    require("test")
    if "--reference" in rest:
        require("reference", hashes=False)
    env = {**os.environ, "CHROMIUM": ensure_browser(), "PYTHONUTF8": "1", "PYTHONPATH": str(PY)}
    ensure_fonts()
    build()
    with one_at_a_time():
        ensure_files(CODE_EMITTER)
        ensure_older_numpy()
    everything = all(argument.startswith("-") for argument in rest)
    # A file stays in one process, and the files in their order (tests/conftest.py).
    side_by_side = ["-n", "auto", "--maxprocesses=4", "--dist=loadfile", "--no-loadscope-reorder"] if everything else []
    return subprocess.run([VENV_PYTHON, "-m", "pytest", *side_by_side, *rest], cwd=ROOT, env=env).returncode


def _parity(options, rest) -> int:
    from .python_env import require

    require("build")  # NumPy and autograd
    script = ROOT / "tests" / "reference" / "parity.py"
    return subprocess.run([VENV_PYTHON, script], cwd=ROOT, env={**os.environ, "PYTHONUTF8": "1"}).returncode


def _clean(options, rest) -> None:
    folders = [VENV, NODE_MODULES, VENDOR, SITE, WORK]
    if options.cache:
        folders.append(cache_folder())
    for folder in folders:
        if folder.exists():
            shutil.rmtree(folder)
            say(f"removed {folder}")
