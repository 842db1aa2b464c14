"""Tests each kind of alert of the hub from the database to a target: one begin and one end. `Tests/Fleet/page` runs it."""
import contextlib
import json
import subprocess
import time
import unittest

import alerts
import servers

TAG = "8ec76ea3-6668-48da-9866-75be8bc86f4d"


class Broker:
    """A private mosquitto, and a client that notes all events."""

    def __init__(self, folder):
        self.port = servers.free_port()
        (folder / "mosquitto.conf").write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        (folder / "mosquitto.conf").chmod(0o644)
        self.log = open(folder / "mosquitto.log", "w+")
        self.broker = subprocess.Popen(["mosquitto", "-c", folder / "mosquitto.conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), servers.socket.create_connection(("127.0.0.1", self.port), 1):
                break
            time.sleep(0.05)  # between two looks
        self.client = subprocess.Popen(["mosquitto_sub", "-p", str(self.port), "-t", "#", "-q", "1"], stdout=self.log)
        self.target = f'mqtt = {{ host = "127.0.0.1", port = {self.port}, topic = "fleet" }}'

    @property
    def events(self):
        self.log.seek(0)
        return [event for event in map(json.loads, filter(lambda line: line.startswith("{"), self.log.read().splitlines())) if "alert" in event]

    def close(self):
        for process in (self.client, self.broker):
            process.kill()
            process.wait()
        self.log.close()


class Kinds(alerts.Fleet):
    def watch(self, kind, limits="", name=None):
        """Starts a program that reports one kind of alert to a web server."""
        receiver = self.receiver()
        name = name or f"alerts-{kind}"
        config = self.configure(f'{alerts.LIMITS}{limits}[[notifier.action]]\nname = "ops"\nalerts = "{kind}"\n{receiver.target}\n')
        self.start(name, config)
        self.wait(lambda: "this process watches" in self.log(name))
        return receiver

    def report(self, device, assignment):
        self.sql(f"update device_report r set {assignment} from device d join site s using (site_id)"
                 f" where d.device_id = r.device_id and s.name || '.' || d.name = '{device}'")

    def expect(self, receiver, begins, ends, during=None):
        """Lets a problem begin and end, and expects one alert for each."""
        begins()
        self.wait(lambda: len(receiver.events) == 1)
        if during:
            during()
        time.sleep(3)  # a second alert or an early end would come now
        self.assertEqual([event["event"] for event in receiver.events], ["alert"])
        self.wait(lambda: ends() or len(receiver.events) == 2)
        time.sleep(2)  # a further alert would come now
        first, last = receiver.events
        self.assertEqual(([first["event"], last["event"]], first["alertId"], first["alert"]), (["alert", "alert-ended"], last["alertId"], last["alert"]))
        return first

    def test_a_broker_of_mqtt_gets_an_alert_and_its_end(self):
        broker = Broker(self.servers.folder)
        self.addCleanup(broker.close)
        self.start("alerts-mqtt", self.configure(f'{alerts.LIMITS}[[notifier.action]]\nname = "ops"\nsite = "berlin"\n{broker.target}\n'))
        self.wait(lambda: "this process watches" in self.log("alerts-mqtt"))

        def fall_silent():
            self.silent = {"berlin.door"}

        def return_again():
            self.silent = {"none"}

        begin = self.expect(broker, fall_silent, return_again)
        self.assertEqual((begin["alert"], begin["site"], begin["device"]), ("device-silent", "berlin", "door"))

    def test_the_disk_of_a_device_is_low_until_it_has_a_quarter_more_than_the_limit(self):
        receiver = self.watch("disk-low")
        begin = self.expect(receiver, lambda: self.report("berlin.door", "free_space = 190000000"),
                            lambda: self.report("berlin.door", "free_space = 251000000"), lambda: self.report("berlin.door", "free_space = 240000000"))
        self.assertEqual((begin["device"], begin["text"]), ("door", "berlin.door has only 190 MB of free disk space"))

    def test_a_disk_of_the_hub_is_low(self):
        limits = 'disks = ["/"]\nhub-free-space = "{}"\n'
        receiver = self.watch("disk-low", limits.format("900000GB"))
        self.wait(lambda: len(receiver.events) == 1)
        self.assertRegex(receiver.events[0]["text"], r"^the disk of / on .* has only [0-9]+ MB free$")
        time.sleep(2)  # a second alert would come now
        self.kill("alerts-disk-low")
        # The other program has the limit that the disk keeps.
        other = self.watch("disk-low", limits.format("1kB"), name="alerts-disk-free")
        self.wait(lambda: len(other.events) == 1)
        time.sleep(2)  # a further alert would come now
        self.assertEqual([event["event"] for event in receiver.events + other.events], ["alert", "alert-ended"])
        self.assertEqual(receiver.events[0]["alertId"], other.events[0]["alertId"])

    def test_a_clock_that_is_not_synchronised_is_wrong(self):
        receiver = self.watch("clock-wrong")
        begin = self.expect(receiver, lambda: self.report("berlin.door", "clock_synchronised = false"),
                            lambda: self.report("berlin.door", "clock_synchronised = true"))
        self.assertEqual((begin["device"], begin["text"]), ("door", "berlin.door has a clock that is not synchronised"))

    def test_a_fleet_without_workers_has_one_alert(self):
        receiver = self.watch("worker-missing")
        begin = self.expect(receiver, lambda: self.sql("delete from worker"), lambda: self.sql(
            "insert into worker values ('worker', 'infinity') on conflict do nothing"))
        self.assertNotIn("site", begin)

    def test_a_beacon_with_a_name_is_missing_until_it_is_heard(self):
        self.sql(f"insert into beacon(site_id, uuid, major, minor, device_id, last_seen) select site_id, '{TAG}', 1, 7, device_id,"
                 " extract(epoch from now()) * 1000 from device join site using (site_id) where site.name = 'berlin' and device.name = 'hall'")
        self.sql("insert into beacon_name select beacon_id, 'trolley' from beacon")
        receiver = self.watch("beacon-missing")
        begin = self.expect(receiver, lambda: None, lambda: self.sql("update beacon set last_seen = extract(epoch from now()) * 1000"))
        self.assertEqual((begin["device"], begin["beacon"]["minor"]), ("hall", 7))

    def test_a_device_that_has_never_sent_has_an_alert_after_it_was_expected(self):
        receiver = self.watch("never-connected")

        def send():
            self.sql("insert into device_state(device_id, device_time, journal_returns, returned)"
                     " select device_id, now(), 0, 0 from device where name = 'new' on conflict do nothing")

        begin = self.expect(receiver, lambda: self.sql("insert into device(site_id, name) select site_id, 'new' from site where name = 'berlin'"), send)
        self.assertEqual(begin["device"], "new")
        self.assertRegex(begin["text"], "^berlin.new has never sent anything, and was expected at 20")

    def test_a_device_whose_events_are_refused_has_an_alert_for_a_day(self):
        receiver = self.watch("messages-refused")
        begin = self.expect(
            receiver, lambda: self.sql("insert into refusal(device_id, reason, messages, detail) select device_id, 'journals', 1, ''"
                                       " from device join site using (site_id) where site.name = 'berlin' and device.name = 'hall'"),
            lambda: self.sql("update refusal set last_at = now() - interval '25 hours'"))
        self.assertRegex(begin["text"], "^berlin.hall has begun too many journals")

    def test_a_certificate_that_ends_has_an_alert_until_the_device_is_enrolled_again(self):
        receiver = self.watch("certificate-ending")

        def end_in(days):
            self.sql(f"update device d set certificate_ends = now() + '{days} days' from site s"
                     " where s.site_id = d.site_id and s.name = 'berlin' and d.name = 'hall'")

        begin = self.expect(receiver, lambda: end_in(29), lambda: end_in(825))
        self.assertRegex(begin["text"], "^the certificate of berlin.hall ends at 20")


if __name__ == "__main__":
    unittest.main()
