"""Named checks with their results."""
import sys
import time


class Checks:
    def __init__(self):
        self.start = time.monotonic()
        self.passed = self.failed = 0

    def say(self, text):
        print(f"[{time.monotonic() - self.start:5.1f} s] {text}", flush=True)

    def check(self, name, holds, detail=""):
        self.passed += bool(holds)
        self.failed += not holds
        self.say(f"{'ok    ' if holds else 'FAILED'} {name}{': ' if detail != '' else ''}{detail}")
        return holds

    def finish(self, limit=None):
        """Prints the summary, and ends the program.

        A run of more seconds than the limit has a warning and no failure, because it depends on the other load of the machine.
        """
        took = time.monotonic() - self.start
        print(f"fleet: {self.passed} passed, {self.failed} failed in {took:.0f} s", flush=True)
        if limit and took > limit:
            print(f"warning: this is more than the {limit} seconds that the run may take", file=sys.stderr, flush=True)
        sys.exit(1 if self.failed else 0)
