"""Code cells: running a reader's code and collecting what it shows."""
