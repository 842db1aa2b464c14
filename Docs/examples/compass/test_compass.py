"""Tests the values of the compass without a service and without a screen: /usr/bin/python3 -m unittest"""

import unittest

from compass import Compass, Service


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


class Variant:
    def __init__(self, *values):
        self.values = values

    def unpack(self):
        return self.values


class ServiceTests(unittest.TestCase):
    def setUp(self):
        self.service = Service.__new__(Service)
        self.service.compass, self.service.path, self.service.changed = Compass(), "/session", lambda: None
        self.starts = 0
        self.service.start = lambda: setattr(self, "starts", self.starts + 1)

    def tell(self, signal, *values):
        self.service.told(None, None, "/session", None, signal, Variant(*values))

    def test_updates_begin_when_consent_comes_after_the_refusal(self):
        self.service.fail("there is no decision about this user yet")
        self.tell("AuthorizationChanged", "whenInUse", "")
        self.assertEqual(self.starts, 1)

    def test_a_revocation_ends_the_direction_with_its_reason(self):
        self.tell("HeadingUpdated", {"kind": "heading", "magneticHeading": 90.0})
        self.tell("AuthorizationChanged", "denied", "denied for this user")
        self.assertEqual(self.service.compass.words, ("No direction", "denied for this user"))
        self.assertEqual(self.starts, 0)

    def test_updates_begin_when_a_compass_is_plugged_in(self):
        self.tell("CapabilitiesChanged", ["location", "heading"])
        self.assertEqual(self.starts, 1)


if __name__ == "__main__":
    unittest.main()
