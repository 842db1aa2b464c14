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
        """Prints the summary, and ends the program. With a limit, a run of more seconds has failed."""
        if limit:
            took = time.monotonic() - self.start
            self.check(f"the run takes at most {limit} s", took <= limit, f"{took:.0f} s")
        print(f"fleet: {self.passed} passed, {self.failed} failed in {time.monotonic() - self.start:.0f} s", flush=True)
        sys.exit(1 if self.failed else 0)
