"""Prints the figures, and marks those above their limits."""
import statistics

# A ratio counts as above its limit from here on: the minima of two series on one machine differ by this factor.
NOISE = 1.05


class Table:
    def __init__(self):
        self.failures = []
        print(f"{'':34} {'ours':>24} {'C':>24} {'ratio':>6} {'limit':>6}", flush=True)

    def compare(self, name, ours, theirs, limit=None, best=min):
        """Figures of alternating rounds. The ratio is that of the best figures, which a busy machine disturbs least."""
        ratio = best(ours) / best(theirs)
        self._judge(name, ratio, limit and limit * NOISE)
        print(f"{name:34} {spread(ours):>24} {spread(theirs):>24} {ratio:6.2f} {limit or '':>6}", flush=True)

    def show(self, name, figures, limit=None):
        self._judge(name, statistics.median(figures), limit)
        print(f"{name:34} {spread(figures):>24} {'':24} {'':6} {limit if limit is not None else '':>6}", flush=True)

    def _judge(self, name, figure, limit):
        if limit is not None and figure > limit:
            self.failures.append(name)


def spread(figures):
    """Returns the median, the least and the most."""
    if len(figures) == 1:
        return f"{figures[0]:.4g}"
    return f"{statistics.median(figures):.4g} [{min(figures):.4g}..{max(figures):.4g}]"
