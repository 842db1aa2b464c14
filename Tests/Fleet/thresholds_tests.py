"""Tests the judgement of a soak without servers. `Tests/Fleet/soak --self-test` runs them."""
import math
import unittest

import thresholds
from thresholds import THRESHOLDS, Judge, percentile, required


class Report:
    """Notes the results of checks."""

    def __init__(self):
        self.results = []

    def check(self, name, holds, detail=""):
        self.results.append((name, holds, detail))
        return holds


class Thresholds(unittest.TestCase):
    def test_each_threshold_permits_its_bounds_and_nothing_beyond(self):
        for name, threshold in THRESHOLDS.items():
            bounds = [(bound, side) for bound, side in ((threshold.least, -1), (threshold.most, 1)) if math.isfinite(bound)]
            self.assertTrue(bounds, name)
            for bound, side in bounds:
                self.assertTrue(threshold.permits(bound), name)
                self.assertFalse(threshold.permits(bound + side * 0.001), name)
                self.assertIn(f"{bound:g}", threshold.text(), name)

    def test_a_figure_that_was_not_measured_fails(self):
        for name, threshold in THRESHOLDS.items():
            for value in (None, math.nan, math.inf, -math.inf):
                self.assertFalse(threshold.permits(value), (name, value))

    def test_the_limits_are_those_of_the_fleet(self):
        most = {name: threshold.most for name, threshold in THRESHOLDS.items() if math.isfinite(threshold.most)}
        self.assertEqual((most["steady"], most["whole"], most["others"]), (1000, 2000, 2000))
        self.assertEqual((most["worker"], most["worker and database"]), (5, 15))
        self.assertEqual((most["shares at start"], most["shares without load"], most["shares under load"]), (10, 30, 30))
        self.assertEqual((most["fresh"], most["cluster start"]), (10, 180))
        self.assertEqual([most[name] for name in ("lost", "late", "doubled", "miscounted", "disordered", "unroutable", "unacknowledged")], [0] * 7)


class Judgement(unittest.TestCase):
    def test_a_figure_beyond_its_limit_fails_with_the_limit(self):
        report = Report()
        self.assertFalse(Judge(report, []).judge("worker", 5.3, "500 messages/s"))
        self.assertTrue(Judge(report, []).judge("worker", 4.9))
        self.assertEqual(report.results, [
            ("the time of the workers for a sighting: at most 5 µs", False, "5.3; 500 messages/s"),
            ("the time of the workers for a sighting: at most 5 µs", True, "4.9")])

    def test_a_required_figure_that_never_comes_fails(self):
        report = Report()
        judge = Judge(report, {"worker", "lost"})
        judge.judge("lost", 0)
        judge.finish()
        self.assertEqual([holds for _, holds, _ in report.results], [True, False])
        self.assertEqual(report.results[1][2], "not measured")

    def test_each_threshold_is_required_by_some_run(self):
        self.assertEqual(required(500, 600, True, 100, 20, True, 1), set(THRESHOLDS))

    def test_a_run_requires_the_figures_of_its_parts(self):
        least = required(1500, 0, False, 0, 0, False)
        self.assertNotIn("worker", least)
        self.assertIn("lost", least)
        self.assertIn("worker", required(thresholds.LIMITED_RATE, 60, False, 0, 0, False))
        self.assertNotIn("worker", required(thresholds.LIMITED_RATE - 1, 60, False, 0, 0, False))
        self.assertNotIn("kept up", required(500, 5, False, 0, 0, False))
        self.assertNotIn("fence", required(0, 0, False, 9, 0, False))
        self.assertNotIn("late", required(500, 60, True, 9, 1, True))
        self.assertIn("late", required(500, 0, False, 0, 0, False, ends=2))

    def test_a_percentile_is_the_value_that_so_many_do_not_exceed(self):
        self.assertEqual((percentile(range(1, 101), 99), percentile(range(1, 201), 99), percentile([7], 99)), (99, 198, 7))
        self.assertEqual((percentile([3, 1, 2], 100), percentile([3, 1, 2], 50)), (3, 2))
        self.assertIsNone(percentile([], 99))
