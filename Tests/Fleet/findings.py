"""Tests which devices the page calls silent, and the findings of the hub about them, on a private PostgreSQL. `Tests/Fleet/page` runs it."""
import unittest

import pages


def setUpModule():
    global page, ada
    page = pages.Page()
    try:
        page.up()
        ada = pages.Client(page.socket)
        assert ada.sign_in("ada")[0] == 200
    except BaseException:
        page.down()
        raise


def tearDownModule():
    page.down()


def door(change):
    """Changes the newest message of berlin.door, and returns its state, its findings, and the number of silent devices."""
    page.servers.sql(f"update device_state set {change} from device d join site s using (site_id)"
                     " where d.device_id = device_state.device_id and d.name = 'door' and s.name = 'berlin'")
    device = ada.get("devices?site=berlin")[1]["devices"][0]
    return device["state"], device["findings"], ada.get("sites")[1]["sites"][0]["silent"]


class Findings(unittest.TestCase):
    def test_a_device_that_only_sends_reports_is_good_between_two_of_them(self):
        self.assertEqual(door("received_at = now() - interval '6 minutes', device_time = now() - interval '6 minutes'"), ("good", [], 0))
        self.assertEqual(door("received_at = now() - interval '8 minutes'"), ("silent", [], 1))

    def test_a_wrong_clock_and_a_clone_are_problems(self):
        self.assertEqual(door("received_at = now(), device_time = 'epoch'"), ("problem", ["clock-behind"], 0))
        clone = "received_at = now(), device_time = now(), journal_returns = 3, returned = extract(epoch from now()) * 1000"
        self.assertEqual(door(clone), ("problem", ["cloned"], 0))
        self.assertEqual(door("received_at = now(), journal_returns = 0"), ("good", [], 0))

    def test_after_a_restart_of_the_database_each_change_succeeds(self):
        for number in range(8):
            page.servers.sql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'beaconmon-hub'")
            client = pages.Client(page.socket, address=f"198.51.100.{number}")
            self.assertEqual(client.sign_in("ada")[0], 200)

    def test_another_schema_is_named_with_its_remedy(self):
        try:
            page.hub("migrate", "--to", "18", "--discard", check=True)
            refusal = ada.get("sites")
        finally:
            page.hub("migrate", check=True)
        self.assertEqual((refusal[0], refusal[1]["code"]), (503, "schema"))
        self.assertIn("run \"beaconmon-hub migrate\"", refusal[1]["error"])
