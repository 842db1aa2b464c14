"""python3 -m unittest"""

import unittest

from gi.repository import GLib

from session import Session, is_imperial


class Listener:
    """Takes every report of a session."""

    def __init__(self):
        self.reports = []

    def __getattr__(self, name):
        return lambda *values: self.reports.append((name, *values))


class SessionTests(unittest.TestCase):
    def setUp(self):
        self.listener, self.calls = Listener(), []
        self.session = Session("Tests", "org.example.Test", "6464", 1, self.listener)
        self.session._call = lambda path, interface, member, arguments, *answers: self.calls.append((member, arguments))
        self.session.session = "/session"
        self.session.lead({"place": "clock", "venue": "hall"})
        self.calls.clear()

    def tearDown(self):
        self.session._expect_word(False)

    def receive(self, signal, kinds, *values):
        self.session._signal(None, None, "/session", None, signal, GLib.Variant(kinds, values))

    def members(self):
        return [member for member, _ in self.calls]

    def test_guidance_begins_again_when_consent_returns(self):
        self.receive("GuidanceEnded", "(ss)", "notAuthorized", "the user has withdrawn consent")
        self.assertEqual(self.listener.reports[-1], ("lost", "the user has withdrawn consent", "NotAuthorized"))
        self.receive("AuthorizationChanged", "(ss)", "whenInUse", "")
        self.session._resume()
        self.assertEqual(self.members()[-1], "StartGuidance")

    def test_guidance_that_has_arrived_does_not_begin_again(self):
        self.receive("GuidanceEnded", "(ss)", "arrived", "You have arrived: Clock.")
        self.assertEqual(self.listener.reports[-1], ("ended", "arrived", "You have arrived: Clock.", None))
        self.session._resume()
        self.assertNotIn("StartGuidance", self.members())

    def test_an_error_in_english_has_its_name_and_a_message_of_the_guidance_has_none(self):
        self.session._not_led("there is no route", "NoRoute")
        self.assertEqual(self.listener.reports[-1], ("ended", "refused", "there is no route", "NoRoute"))
        self.session.lead({"place": "clock", "venue": "hall"})
        self.receive("GuidanceFailed", "(ss)", "org.beaconmon.Monitor1.Error.NoRoute", "kein Weg")
        self.assertEqual(self.listener.reports[-1], ("lost", "kein Weg", None))
        self.receive("AuthorizationChanged", "(ss)", "denied", "denied for this user")
        self.assertEqual(self.listener.reports[-1], ("refused", "denied for this user", "NotAuthorized"))

    def test_a_changed_venue_and_an_opened_plan_read_the_places_again(self):
        route = {"reason": GLib.Variant("s", "venueChanged")}
        self.receive("GuidanceRouteChanged", "(a{sv})", route)
        self.assertEqual(self.members(), ["Places"])
        self.session.locate(True)
        self.assertEqual(self.members(), ["Places", "Places", "StartUpdatingLocation"])

    def test_places_that_are_gone_are_reported(self):
        self.session.read_places()
        self.session._read([{"id": "bell", "venue": "hall", "level": "ground", "uuid": "6464", "major": 1, "minor": 2, "title": "Bell"}], 0)
        self.assertIn(("listed", {"bell"}), self.listener.reports)

    def test_lengths_follow_the_locale_for_measurements(self):
        self.assertTrue(is_imperial({"LANG": "en_US.UTF-8"}))
        self.assertFalse(is_imperial({"LANG": "en_US.UTF-8", "LC_MEASUREMENT": "de_DE.UTF-8"}))
        self.assertFalse(is_imperial({"LC_ALL": "C.UTF-8"}))
        self.assertFalse(is_imperial({}))
