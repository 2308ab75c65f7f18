class Refusal(Exception):
    """Something is not as expected: nothing was changed, and the message is the one line that says why."""
