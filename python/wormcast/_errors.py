"""What can go wrong, with the text that the program prints and the exit code with which it ends."""


class Error(Exception):
    """Anything else: a broken invariant, an interrupted study."""

    exit_code = 1


class InputError(Error, ValueError):
    """A value, file or combination that cannot be: the text says what was found and what was expected."""

    exit_code = 2


class FileError(InputError):
    """A file that cannot be read."""


class OutputError(Error):
    """A file or folder that cannot be written."""


class IncompleteSchedule(Error):
    """A schedule that does not do its operation, and was not simulated: `verify` says what is missing, and
    unchecked=True simulates it all the same."""

    exit_code = 3


class Deadlock(Error):
    """The simulated network came to a stop. `result` has what was delivered until then."""

    exit_code = 4

    def __init__(self, text, result=None):
        super().__init__(text)
        self.result = result
