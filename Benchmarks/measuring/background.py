"""Work beside a measurement."""
import threading


class Background:
    """Calls `run`, which a subclass has, in a thread until the block ends; `ended` is set then."""

    def __init__(self):
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
