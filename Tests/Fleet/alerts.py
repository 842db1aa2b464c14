"""Tests the alerts of the hub on a private PostgreSQL: once, with recovery, whatever is killed. `Tests/Fleet/page` runs it."""
import contextlib
import http.server
import json
import os
import pathlib
import signal
import subprocess
import threading
import time
import unittest

import servers

PROGRAM = pathlib.Path(os.environ.get("FLEET_PROGRAMS", pathlib.Path(__file__).parents[2] / "Hub/.build/debug")).resolve() / "beaconmon-hub"
LIMITS = '[alerts]\nsilent-after = "4s"\nsteady = "1s"\nmissing-after = "6s"\n'


class Receiver:
    """A web server that notes the alerts, and fails at first on request."""

    def __init__(self, failures=0):
        self.events, self.ids, self.failures = [], [], failures
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                receiver.ids.append(self.headers["webhook-id"])
                receiver.failures -= 1
                if receiver.failures < 0:
                    receiver.events.append(body)
                self.send_response(500 if receiver.failures >= 0 else 204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def target(self):
        return f'webhook = {{ url = "http://127.0.0.1:{self.server.server_port}/alerts" }}'

    def names(self):
        return [(event["event"], event["alert"], event.get("device")) for event in self.events]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Fleet(unittest.TestCase):
    """A database with two sites, whose devices are heard all the time."""

    @classmethod
    def setUpClass(cls):
        cls.servers = servers.Servers()
        cls.servers.create_database()

    @classmethod
    def tearDownClass(cls):
        cls.servers.down()

    def setUp(self):
        self.hub("migrate", "--to", "0", "--discard")
        self.hub("migrate")
        self.sql("insert into worker values ('worker', 'infinity')")
        self.sql("insert into site(name, partition) values ('berlin', 1), ('paris', 2)")
        self.sql("insert into device(site_id, name) select site_id, d from site, unnest(array['door', 'hall', 'shop']) d")
        self.sql("insert into device_state(device_id, device_time, journal_returns, returned) select device_id, now(), 0, 0 from device")
        self.sql("insert into device_report(device_id, version, revision, dropped_digests, clock_synchronised, problems)"
                 " select device_id, '0.1.0', 0, 0, true, '{}' from device")
        self.silent, self.processes, self.receivers = {"none"}, {}, []
        self.ends = threading.Event()
        self.heart = threading.Thread(target=self.beat)
        self.heart.start()

    def tearDown(self):
        self.ends.set()
        self.heart.join()
        for process in self.processes.values():
            process.kill()
            process.wait()
        for receiver in self.receivers:
            receiver.close()

    def beat(self):
        while not self.ends.wait(0.5):
            names = ",".join(f"'{name}'" for name in sorted(self.silent))
            with contextlib.suppress(subprocess.CalledProcessError):
                self.sql("update device_state t set received_at = now(), device_time = now() from device d join site s using (site_id)"
                         f" where d.device_id = t.device_id and s.name || '.' || d.name not in ({names}) and s.name not in ({names})")

    def sql(self, text):
        return self.servers.sql(text)

    def hub(self, *arguments, check=True, **variables):
        environment = os.environ | {"BEACONMON_HUB_DATABASE": self.servers.database} | variables
        return subprocess.run([PROGRAM, *arguments], env=environment, text=True, capture_output=True, check=check, timeout=30)

    def receiver(self, failures=0):
        self.receivers.append(Receiver(failures))
        return self.receivers[-1]

    def configure(self, text):
        path = self.servers.folder / "alerts.toml"
        path.write_text(text)
        return str(path)

    def start(self, name, config):
        with open(self.servers.folder / f"{name}.log", "a") as log:
            self.processes[name] = subprocess.Popen(
                [PROGRAM, "alerts", "--database", self.servers.database, "--config", config], stdout=log, stderr=log)
        self.wait(lambda: self.log(name))

    def log(self, name):
        return (self.servers.folder / f"{name}.log").read_text()

    def kill(self, name):
        process = self.processes.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def wait(self, condition, seconds=25):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                logs = "".join(path.read_text() for path in self.servers.folder.glob("*alerts*.log"))
                self.fail(f"not in {seconds} s: {[receiver.events for receiver in self.receivers]}\n{logs}")
            time.sleep(0.1)  # between two looks


class Alerts(Fleet):
    def test_a_silent_device_has_one_alert_and_one_recovery_although_programs_are_killed(self):
        receiver = self.receiver(failures=1)
        config = self.configure(f'{LIMITS}[[notifier.action]]\nname = "ops"\nsite = "berlin"\n{receiver.target}\n')
        self.start("alerts1", config)
        self.wait(lambda: "this process watches" in self.log("alerts1"))
        self.start("alerts2", config)
        self.silent = {"berlin.door", "paris"}
        self.wait(lambda: len(receiver.events) == 1)
        self.kill("alerts1")
        self.wait(lambda: "this process watches" in self.log("alerts2"))
        status = json.loads(self.hub("status", "--json").stdout)
        self.assertEqual({alert["kind"] for alert in status["alerts"]} - {"site-silent"}, {"device-silent"})
        self.assertTrue(status["watched"])
        time.sleep(2)  # further alerts would come now
        self.silent = {"none"}
        self.wait(lambda: len(receiver.events) == 2)
        self.kill("alerts2")
        self.start("alerts3", config)
        self.wait(lambda: not self.sql("select 1 from alert where ended_at is null"))
        time.sleep(2)  # further alerts would come now
        self.assertEqual(receiver.names(), [("alert", "device-silent", "door"), ("alert-ended", "device-silent", "door")])
        begin, end = receiver.events
        self.assertEqual((begin["alertId"], begin["site"], begin["sequence"] < end["sequence"]), (end["alertId"], "berlin", True))
        self.assertRegex(end["text"], "^the silence of berlin.door is over after [0-9]+ s$")
        self.assertGreaterEqual(float(end["duration"].rstrip("s")), 4)
        # The first attempt failed, and the second one has the same id.
        self.assertEqual((len(receiver.ids), len(set(receiver.ids)), receiver.ids[0]), (3, 2, receiver.ids[1]))
        self.assertEqual(self.sql("select count(*) from alert_delivery"), [["0"]])

    def test_a_database_that_is_down_neither_loses_nor_doubles_an_alert(self):
        receiver = self.receiver()
        self.sql("insert into alert(kind, subject, since, opened_at, ended_at, announced, text)"
                 " select 'site-silent', 'berlin', t, t, t, true, '' from (values (now() - interval '91 days'), (now() - interval '89 days')) v(t)")
        self.start("alerts4", self.configure(f'{LIMITS}[[notifier.action]]\nname = "ops"\nsite = "berlin"\n{receiver.target}\n'))
        self.wait(lambda: "this process watches" in self.log("alerts4"))
        self.silent = {"berlin.door"}
        self.wait(lambda: len(receiver.events) == 1)
        self.servers.stop_postgresql("immediate")
        self.wait(lambda: "starting over" in self.log("alerts4"))
        self.servers.start_postgresql()
        self.wait(lambda: "answers again" in self.log("alerts4"))
        self.silent = {"none"}
        self.wait(lambda: len(receiver.events) == 2)
        self.assertEqual([name for name, _, _ in receiver.names()], ["alert", "alert-ended"])
        self.assertEqual(self.sql("select count(*) from alert where kind = 'site-silent' and text = ''"), [["1"]])

    def test_a_muted_alert_is_announced_when_the_mute_ends(self):
        receiver = self.receiver()
        config = self.configure(f'{LIMITS}[[notifier.action]]\nname = "ops"\n{receiver.target}\n')
        self.assertIn("muted berlin.door for 1h", self.hub("admin", "alerts", "mute", "berlin.door", "--for", "1h").stdout)
        self.start("alerts5", config)
        self.silent = {"berlin.door", "berlin.hall"}
        self.wait(lambda: len(receiver.events) == 1)
        self.wait(lambda: len(self.sql("select 1 from alert where ended_at is null")) == 2)
        listed = self.hub("admin", "alerts", "list").stdout
        self.assertRegex(listed, "device-silent  since .* UTC, muted\n  berlin.door has sent nothing since")
        self.assertIn("muted: berlin.door until 2", listed)
        self.assertIn("(muted)", self.hub("status").stdout)
        self.hub("admin", "alerts", "unmute", "berlin.door")
        self.wait(lambda: len(receiver.events) == 2)
        self.assertEqual(receiver.names(), [("alert", "device-silent", "hall"), ("alert", "device-silent", "door")])
        self.assertEqual([row[0] for row in self.sql("select action from audit order by audit_id")], ["mute alerts", "unmute alerts"])
        refused = self.hub("admin", "alerts", "mute", "rome", check=False)
        self.assertIn('"rome" is not a site, a device such as berlin.door, or the number of an open alert', refused.stderr)

    def test_a_command_gets_the_alert_and_a_refused_one_is_listed(self):
        path = self.servers.folder / "command.txt"
        config = self.configure(
            f'{LIMITS}[[notifier.action]]\nname = "mail"\nalerts = "beacon-missing"\n'
            f'command = ["/bin/sh", "-c", "echo $BEACONMON_ALERT $BEACONMON_DEVICE $BEACONMON_BEACON_MINOR >> {path}; exit 3"]\n'
            '[[notifier.action]]\nalerts = ["beacon-missing"]\nlog = "ATTENTION {alert} at {site}: {text}"\n')
        self.sql("insert into beacon(site_id, uuid, major, minor, device_id, last_seen) select site_id, '8ec76ea3-6668-48da-9866-75be8bc86f4d', 1, 7,"
                 " device_id, extract(epoch from now()) * 1000 from device join site using (site_id) where site.name = 'berlin' and device.name = 'hall'")
        self.sql("insert into beacon_name select beacon_id, 'trolley' from beacon")
        self.start("alerts6", config)
        self.wait(path.exists)
        self.wait(lambda: self.sql("select failure from alert_delivery") == [["exit code 3"]])
        self.assertEqual(path.read_text(), "beacon-missing hall 7\n")
        self.assertIn('ATTENTION beacon-missing at berlin: the beacon "trolley" (8ec76ea3-6668-48da-9866-75be8bc86f4d/1/7) was heard last', self.log("alerts6"))
        self.assertIn("not delivered to mail: alert 1: exit code 3", self.hub("admin", "alerts", "list").stdout)

    def test_a_faulty_configuration_is_refused_with_place_and_remedy(self):
        for text, message in (
            ('[[notifier.target]]\nname = "ops"\nwebhook = { url = "ftp://x" }\n', 'alerts.toml:3: target "ops": webhook: url: is not a web address'),
            ('[[notifier.action]]\ntarget = "none"\n', 'alerts.toml:2: notifier action 1: target: there is no target "none"'),
            ('[[notifier.action]]\nlog = "{text}"\nalerts = ["silent"]\n', 'alerts.toml:3: notifier action 1: alerts: "silent" is not an alert; use one of "device-silent"'),
            ('[alerts]\nsilent = "1m"\n', 'alerts.toml:2: alerts: unknown key "silent"; the keys here are silent-after, missing-after'),
            ('[alerts]\nsilent-after = "4m"\n', "alerts: silent-after: a device without beacons in range sends only a report every 5 minutes"),
            ('[[notifier.action]]\nnotification = { title = "x" }\n', "requires a desktop, and the hub has none"),
            ('[[notifier.action]]\nmqtt = { host = "b", discovery = "homeassistant" }\n', "discovery: is about the regions and beacons of a device"),
            ('[[notifier.action]]\nname = "ops"\nwebhook = { url = "http://localhost/", secret = { file = "/none" } }\n', "target ops: /none: cannot be read: No such file"),
        ):
            refused = self.hub("alerts", "--check", "--config", self.configure(text), check=False)
            self.assertEqual(refused.returncode, 78, text)
            self.assertIn(message, refused.stderr)
        with_disk = '[alerts]\ndisks = ["/", "{}"]\n'
        refused = self.hub("alerts", "--check", "--config", self.configure(with_disk.format("/none")), check=False)
        self.assertEqual(refused.returncode, 78)
        self.assertIn("alerts.toml: disks: /none cannot be examined: No such file or directory (ENOENT); create the folder, or remove it", refused.stderr)
        self.hub("alerts", "--check", "--config", self.configure(with_disk.format("/tmp")))
        for text, message in (("", "no [[notifier.action]], so that alerts are only shown by status and the page"),
                              ('[[notifier.action]]\nlog = "x"\nsite = ["nosuch", "berlin"]\n', "no site nosuch is enrolled, so that its actions have no effect")):
            self.assertIn(message, self.hub("alerts", "--check", "--config", self.configure(text)).stderr)
        missing = self.hub("alerts", "--check", "--config", "/none.toml", check=False)
        self.assertIn("/none.toml: cannot be read: No such file or directory; check the path", missing.stderr)

    def test_every_target_gets_a_test(self):
        receiver = self.receiver()
        config = self.configure(f'[[notifier.action]]\nname = "ops"\n{receiver.target}\n[[notifier.action]]\nname = "no"\ncommand = ["/bin/false"]\n')
        tested = self.hub("alerts", "--test", "--config", config, check=False)
        self.assertEqual((tested.returncode, sorted(tested.stdout.splitlines())), (1, ["no: exit code 1", "ops: delivered"]))
        self.assertEqual([event["test"] for event in receiver.events], [True])


class Status(Fleet):
    def test_status_shows_the_worker_of_each_queue_before_it_takes_it(self):
        self.sql("update worker set worker = 'a.1.1'; insert into worker values ('b.2.2', 'infinity')")
        queues = json.loads(self.hub("status", "--json").stdout)["queues"]
        self.assertEqual([queue["worker"] for queue in queues], ["a.1.1", "b.2.2"] * 4)
        self.assertTrue(all(queue["owned"] and queue["idle"] for queue in queues))
        self.sql("update queue set worker = 'a.1.1' where queue = 1")
        queue = json.loads(self.hub("status", "--json").stdout)["queues"][1]
        self.assertEqual((queue["worker"], queue["owned"], queue["idle"]), ("a.1.1", True, False))
        self.assertIn("b.2.2 (not taken yet)", self.hub("status").stdout)

    def test_status_shows_a_certificate_of_the_hub_that_ends_soon(self):
        folder = self.servers.folder
        for name, days in (("ca", 900), ("hub", 5)):
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", str(days),
                            "-subj", f"/CN={name}", "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.crt"], check=True, capture_output=True)
        # No broker listens there.
        status = self.hub("status", BEACONMON_HUB_BROKER="amqps://127.0.0.1:1,amqps://127.0.0.1:2", BEACONMON_HUB_CERTIFICATES=str(folder),
                          BEACONMON_HUB_BROKER_PASSWORD="a" * 32)
        for text in ("broker amqps://127.0.0.1:1: ", "broker amqps://127.0.0.1:2: ", "backlogs are unknown"):
            self.assertIn(text, status.stderr)
        self.assertIn(f"the certificate {folder}/hub.crt ends in 4 days", status.stdout)
        self.assertNotIn(f"{folder}/ca.crt", status.stdout)
