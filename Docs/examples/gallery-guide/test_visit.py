"""python3 -m unittest"""

import unittest

from visit import SECOND, Visit


class VisitTests(unittest.TestCase):
    def walk(self, *seconds):
        visit = Visit()
        return [visit.hear(number * SECOND, beacons) for number, beacons in enumerate(seconds)]

    def test_shows_who_was_the_nearest_for_two_seconds(self):
        self.assertEqual(self.walk(*[[(1, "near"), (2, "far")]] * 4), [None, None, 1, 1])

    def test_what_is_far_is_not_shown(self):
        self.assertEqual(self.walk(*[[(1, "far")]] * 5), [None] * 5)

    def test_holds_between_two_that_take_turns(self):
        turns = [[(1, "near"), (2, "near")], [(2, "near"), (1, "near")]] * 30
        self.assertEqual(self.walk(*[[(1, "near")]] * 3, *turns)[2:], [1] * 61)

    def test_changes_to_who_stays_the_nearest(self):
        self.assertEqual(self.walk(*[[(1, "near")]] * 3, *[[(2, "near"), (1, "near")]] * 5), [None, None, 1, 1, 1, 1, 2, 2])

    def test_a_short_silence_changes_nothing(self):
        self.assertEqual(self.walk(*[[(1, "near")]] * 3, *[[]] * 5, [(1, "near")], *[[]] * 5)[2:], [1] * 12)

    def test_leaves_after_six_seconds(self):
        self.assertEqual(self.walk(*[[(1, "near")]] * 3, *[[(1, "unknown")]] * 7)[2:], [1] * 6 + [None] * 2)


if __name__ == "__main__":
    unittest.main()
