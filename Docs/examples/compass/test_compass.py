"""Tests the values of the compass without a service and without a screen: /usr/bin/python3 -m unittest"""

import unittest

from compass import Compass


class CompassTests(unittest.TestCase):
    def test_true_north_comes_before_magnetic_north(self):
        compass = Compass()
        compass.update({"kind": "heading", "magneticHeading": 86.0, "trueHeading": 90.2, "accuracy": 2.0, "trueAccuracy": 3.4})
        self.assertEqual(compass.words, ("90° E", "true north ± 3°"))
        compass.update({"kind": "heading", "magneticHeading": 359.7})
        self.assertEqual(compass.words, ("0° N", "magnetic north"))

    def test_a_course_is_no_direction(self):
        compass = Compass()
        compass.update({"kind": "course", "trueHeading": 90.0})
        self.assertEqual(compass.words[0], "No direction")

    def test_a_failure_is_shown_until_a_direction_comes(self):
        compass = Compass()
        compass.failure = "the field is disturbed"
        compass.update({"x": 1.0, "y": 2.0, "z": 2.0, "magnitude": 3.0})
        self.assertEqual(compass.words, ("No direction", "the field is disturbed"))
        compass.update({"kind": "heading", "magneticHeading": 181.0})
        self.assertEqual(compass.words, ("181° S", "magnetic north"))

    def test_calibration_says_what_to_do(self):
        compass = Compass()
        compass.calibration = {"needed": True, "progress": 0.25}
        self.assertEqual(compass.words, ("No direction", "Turn the device in all directions: 25% measured"))

    def test_the_detector_compares_with_the_usual_field(self):
        compass = Compass()
        self.assertEqual(compass.detector, ("no field", 0))
        for strength in [48.0] * 50 + [148.0]:
            compass.update({"magnitude": strength})
        self.assertEqual(compass.detector, ("148.0 µT", 100.0))
        for _ in range(1000):
            compass.update({"magnitude": 48.0})
        self.assertEqual(len(compass.field), 300)


if __name__ == "__main__":
    unittest.main()
