"""Tests the past of a tag and of a site on the page of the hub, and the entries of the log about it. `Tests/Fleet/page` runs it."""
import time
import unittest

import page
import pages
from page import TAG


def setUpModule():
    page.setUpModule()


def tearDownModule():
    page.tearDownModule()


class Histories(unittest.TestCase):
    def test_an_hour_of_a_tag_has_the_devices_that_heard_it_the_loudest_first(self):
        ada = page.client("ada")
        path = ada.get(f"path?site=berlin&{TAG}")[1]["path"]
        self.assertEqual([(row["device"], row["level"], row["digests"]) for row in path[0]["devices"]], [("hall", -60, 1), ("door", -70, 1)])
        self.assertEqual([len(path), [row["time"] for row in path]], [20, sorted((row["time"] for row in path), reverse=True)])
        self.assertEqual(ada.get(f"path?site=berlin&{TAG}&from={int(time.time() * 1000) - 8_000_000}")[1]["path"], [])
        self.assertEqual(page.client("pia").get(f"path?site=paris&{TAG.replace('major=1', 'major=2')}")[1]["path"], [])

    def test_reading_the_history_of_an_unknown_tag_is_in_the_audit_log(self):
        unknown = TAG.replace("minor=5", "minor=6")
        self.assertEqual(page.client("ada").get(f"moves?site=berlin&{unknown}")[1]["moves"], [])
        subjects = [change["subject"] for change in page.client("olga").get("audit?site=berlin")[1]["changes"] if change["action"] == "read history"]
        self.assertIn(f"{pages.TAG}/1/6", subjects)

    def test_reading_a_history_is_in_the_audit_log_once(self):
        otto = page.client("otto")
        for path in ("path", "moves", "path", "tag"):
            self.assertEqual(otto.get(f"{path}?site=berlin&{TAG}")[0], 200)
        changes = page.client("olga").get("audit?site=berlin")[1]["changes"]
        self.assertEqual([change["subject"] for change in changes if (change["actor"], change["action"]) == ("otto", "read history")], [f"{pages.TAG}/1/5"])

    def test_visits_are_counted_by_day_and_room_without_identities(self):
        visits = page.client("ada").get("visits?site=berlin")[1]["visits"]
        self.assertEqual([(row["room"], row["visits"], row["visitors"], row["median"], row["mean"]) for row in visits], [("hall", 5, 2, 180, 180)])
        self.assertEqual(page.client("pia").get("visits?site=paris")[1]["visits"], [])
