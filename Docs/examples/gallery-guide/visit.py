"""Chooses the exhibit on the screen: pure, in the time of the daemon."""

SECOND = 1_000_000  # Times of the bus are microseconds.


class Visit:
    """Keeps one exhibit on the screen while the nearest beacon changes from second to second.

    An exhibit is shown once its beacon has been the nearest for `arrive`, another one in its place once that has been nearer for `change`, and none once its
    beacon has not been near for `leave`.
    """

    def __init__(self, arrive=2 * SECOND, change=3 * SECOND, leave=6 * SECOND):
        self.arrive, self.change, self.leave = arrive, change, leave
        self.shown = None
        self._rival = self._rival_since = self._last_near = None

    def hear(self, time, beacons):
        """Returns the exhibit after one second of ranging.

        beacons: minor and proximity of each, nearest first.
        """
        near = [minor for minor, proximity in beacons if proximity in ("immediate", "near")]
        if self.shown in near:
            self._last_near = time
        nearest = near[0] if near else None
        if nearest is None or nearest == self.shown:
            self._rival = None
        elif nearest != self._rival:
            self._rival, self._rival_since = nearest, time
        if self._rival is not None and time - self._rival_since >= (self.arrive if self.shown is None else self.change):
            self.shown, self._rival, self._last_near = self._rival, None, time
        elif self.shown is not None and time - self._last_near >= self.leave:
            self.shown = None
        return self.shown
