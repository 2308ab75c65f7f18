#!/usr/bin/env python3
"""The door to everything: fetch, build, serve, test. Needs Python 3.11 or newer and nothing else.

This file is written so that older Pythons can read it too: they are told what is missing instead of
showing a SyntaxError. The work is in py/sitebuild.
"""

import os
import sys

NEEDED = (3, 11)

if sys.version_info < NEEDED:
    sys.stderr.write(
        "error: this is Python %d.%d, seeformer needs %d.%d or newer\n" % (tuple(sys.version_info[:2]) + NEEDED)
        + "try:   install a newer Python, then: python%d.%d build.py\n" % NEEDED
    )
    sys.exit(2)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))

from sitebuild.cli import main  # noqa: E402  (the check above has to come first)

if __name__ == "__main__":
    sys.exit(main())
