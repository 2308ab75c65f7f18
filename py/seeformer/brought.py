"""What the reader brought, by name: opened once, for all worlds alike.

A world of edited code (worlds.py) has modules of its own, but not of this one: the weights of a large model must not
be read, and lie in memory, a second time.
"""

checkpoints = {}  # name -> checkpoints.Files
