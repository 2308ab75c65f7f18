#!/usr/bin/env python3
"""The door to everything: fetch, build, serve, test. Needs Python 3.11 or newer and nothing else.

This file is written so that Python 3.6 and later can read it: they are told what is missing instead of
showing a SyntaxError. The work is in py/sitebuild.
"""

import os
import sys

NEEDED = (3, 11)

if sys.version_info < NEEDED:
    sys.stderr.write(
        f"error: this is Python {sys.version_info[0]}.{sys.version_info[1]}, seeformer needs 3.{NEEDED[1]} or newer\n"
        f"try:   install a newer Python, then: python3.{NEEDED[1]} build.py\n"
    )
    sys.exit(2)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))

from sitebuild.cli import main  # noqa: E402  (the check above has to come first)

if __name__ == "__main__":
    sys.exit(main())
