"""The one exception that build.py shows to a person instead of a traceback."""


class BuildError(Exception):
    """What went wrong in one line, what to do about it in another.

    `details` is for mistakes in the project's own sources (a traceback, a bundler's message): it is shown too,
    because there the person who reads it is the one who can mend it.
    """

    def __init__(self, message: str, remedy: str, *, details: str = ""):
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.details = details

    def __str__(self) -> str:
        return "\n".join(filter(None, [self.details.rstrip(), f"error: {self.message}", f"try:   {self.remedy}"]))


class NoNetwork(BuildError):
    def __init__(self, doing: str, remedy: str):
        super().__init__(f"{doing}: no network, and the cache has not got all of it", remedy)


class DiskFull(BuildError):
    def __init__(self, where: str):
        super().__init__(
            f"the disk is full ({where})",
            "free about 500 MB, or set SEEFORMER_CACHE to a folder on another disk",
        )
