"""The exceptions of mezzotint, by the status of a call."""


class Error(Exception):
    """A call that failed. The text says what happened, where, and what to do.

    status: the exit status that the program has for it (65: a damaged file, 74: a disk that fails)
    result: of a job, what became of its sheets; else None
    """

    def __init__(self, message, status=70, result=None):
        super().__init__(message)
        self.status = status
        self.result = result


class UsageError(Error, ValueError):
    """Arguments or settings that do not fit."""


class MissingError(Error, FileNotFoundError):
    """A file that is not there."""

    def __str__(self):
        return self.args[0]


class FileError(Error, OSError):
    """A file that cannot be read, created or written, or a disk that is full."""

    def __str__(self):
        return self.args[0]


def error(status, message, result=None):
    """The exception for a status of the library."""
    kind = {64: UsageError, 66: MissingError, 73: FileError, 74: FileError}.get(status, Error)
    return kind(message, status, result)
