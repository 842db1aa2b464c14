"""A real device: daemon and notifier play a recorded walk, and report to the hub."""
import json
import pathlib
import time

from programs import DevicePrograms

CAPTURE = pathlib.Path(__file__).parents[1] / "Fixtures/gallery-rectangular_without_rotation.btsnoop"
REGIONS = "".join(f"""
[[region]]
identifier = "exhibit {minor}"
uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
major = 1
minor = {minor}
within = 3.0
exit-delay = "2s"
""" for minor in (4, 7, 11))
TABLES = f"""digests = "1s"
beacons = ["8ec76ea3-6668-48da-9866-75be8bc86f4d"]
{REGIONS}
[journal]
path = "{{}}/journal.db"
"""


class WalkingDevice(DevicePrograms):
    """A device that hears the beacons of a recorded walk."""

    def __init__(self, programs, hub, name):
        # The journal of a played capture is in memory unless it has a path.
        super().__init__(programs, hub, name, after=TABLES.format(hub.folder / name))
        self.start_notifier()
        # The notifier observes before the first packet.
        hub.wait_for(20, lambda: "connected" in self.log())
        self.start_daemon(speed=4)

    def start_daemon(self, speed):
        """Starts the daemon, which plays the walk from its beginning."""
        self.daemon = self.start_program("beaconmond", "--source", f"capture:{CAPTURE}", "--speed", str(speed))

    def stop_daemon(self):
        self.daemon.terminate()
        self.daemon.wait()

    def events(self):
        """Returns the events of the device's journal, by their numbers."""
        return {event["sequence"]: event for event in map(json.loads, self.beaconmon("events", "--json").stdout.splitlines())}

    def stored(self, name=None):
        """Returns the events that the hub has of the device, under its name or another one."""
        site, device = (name or self.name).split(".")
        rows = self.hub.servers.sql("select e.sequence, e.body from event e join device d using (device_id) join site s using (site_id) "
                                    f"where s.name = '{site}' and d.name = '{device}'")
        return [(int(sequence), json.loads(body)) for sequence, body in rows]


def check_downlink(report, device):
    """Sends messages to the device, while it is connected and while it is away."""
    def send(content, replaces="false"):
        site, name = device.name.split(".")
        return device.hub.servers.sql(f"select fleet_send(device_id, 2::int2, '{content}', {replaces}) from device d join site s using (site_id) "
                                      f"where s.name = '{site}' and d.name = '{name}'")[0][0]

    def wait(numbers):
        condition = f"number in ({', '.join(numbers)}) and acknowledged_at is not null"
        return device.hub.wait_for(20, lambda: device.hub.servers.sql(f"select count(*) from device_message where {condition}") == [[str(len(numbers))]])

    took = wait([send("now"), send("again")])
    report.check("a real device acknowledges messages of the hub", took is not None, f"after {took or 99:.1f} s")
    device.notifier.kill()
    device.notifier.wait()
    old, new = send("old", "true"), send("new", "true")
    left = device.hub.servers.sql(f"select number from device_message where device_id = {device.key()}")
    report.check("a newer message takes the place of older ones", left == [[new]] and old != new, left)
    # Events and digests pass while the notifier is away; a check afterwards waits for them.
    time.sleep(2)
    device.start_notifier()
    # The device asks for its shares, and the answer may take the place of the message.
    later = f"select count(*) > 0 from device_message join device d using (device_id) where d.name = '{device.name.split('.')[1]}' and number >= {new} and acknowledged_at is not null"
    took = device.hub.wait_for(20, lambda: device.hub.servers.sql(later) == [["t"]])
    report.check("a message to a device that was away arrives when it returns", took is not None, f"after {took or 99:.1f} s")


def check(report, device):
    """Compares the journal of the device with the rows of the hub."""
    hub = device.hub
    hub.wait_for(60, lambda: '"sourceState":"paused"' in device.beaconmon("status", "--json").stdout)
    hub.wait_for(60, lambda: len(device.stored()) >= len(device.events()))
    journal, stored = device.events(), device.stored()
    same = {sequence: all(body.get(key) == value for key, value in journal.get(sequence, {"": 0}).items() if key != "journal") for sequence, body in stored}
    report.check("every event in the journal of a real device is stored once, with the same keys",
                 len(journal) >= 4 and sorted(journal) == sorted(sequence for sequence, _ in stored) and all(same.values()),
                 f"{len(journal)} events, {len(stored)} stored, {sum(same.values())} equal")
    state = next(row for row in hub.status()["devices"] if row["name"] == device.name)
    report.check("the hub has the version of the real device", state["version"] not in (None, ""), state["version"])
    site, name = device.name.split(".")
    counts = hub.servers.sql("select count(*), count(distinct (journal, sequence)) from digest join device d using (device_id) join site s using (site_id) "
                             f"where s.name = '{site}' and d.name = '{name}'")[0]
    beacons = int(hub.servers.sql(f"select count(*) from beacon join site s using (site_id) where s.name = '{site}'")[0][0])
    report.check("digests of the walk are stored once, with its 12 beacons", int(counts[0]) >= 10 and counts[0] == counts[1] and beacons == 12,
                 f"{counts[0]} digests, {beacons} beacons")
