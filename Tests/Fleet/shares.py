"""Two real devices and a person share a position: offer, accept, see, kill, revoke. Nothing of it is left."""
import json
import subprocess
import sys

import pages
from programs import DevicePrograms

# A place that no other part of a run has.
LATITUDE, LONGITUDE = "52.1357924", "13.8642097"
OWNER, RECIPIENT = "gallery.guide", "gallery.visitor"
NAMES = [OWNER, RECIPIENT]
TABLES = f"""
source = "none"

[location.fixed]
latitude = {LATITUDE}
longitude = {LONGITUDE}
accuracy = 3.0
"""


class FixedDevice(DevicePrograms):
    """A device that knows where it is, and hears nothing."""

    def __init__(self, programs, hub, name):
        super().__init__(programs, hub, name, before=TABLES)
        self.start_program("beaconmond")
        self.start_notifier()

    def list(self, command):
        """Returns the shares or the friends; None while the notifier does not answer."""
        done = self.beaconmon({"shares": "share", "friends": "friends"}[command], "list", "--json")
        return json.loads(done.stdout)[command] if done.returncode == 0 else None


def hub_claims(device, notice):
    """Sends a forged notice, as a hub under the control of an attacker would."""
    text = json.dumps(notice).replace("'", "''")
    device.hub.servers.sql(f"select fleet_send({device.key()}, 2::int2, convert_to('{text}', 'UTF8'), true)")


def is_using_location(device):
    uses = json.loads(device.beaconmon("privacy", "show", "--json").stdout)["uses"]
    return any(use.get("inUse") and use["purpose"].startswith("Shares this position") for use in uses)


def is_interface_documented(device):
    """Compares the interface on the bus with the file that describes it."""
    def canonical(text):
        peer = pages.ROOT / "Tests/IntegrationTests/Peers/interface.py"
        return subprocess.run([sys.executable, peer, "org.beaconmon.Sharing1", "-"], input=text, capture_output=True, text=True, check=True).stdout
    call = ["busctl", f"--address={device.bus}", "--json=short", "call", "org.beaconmon.Sharing1", "/org/beaconmon/Sharing1"]
    answer = subprocess.run([*call, "org.freedesktop.DBus.Introspectable", "Introspect"], capture_output=True, text=True, check=True).stdout
    return canonical(json.loads(answer)["data"][0]) == canonical((pages.ROOT / "config/dbus/org.beaconmon.Sharing1.xml").read_text())


def start_page(hub):
    """Starts the page, and returns a client of a person."""
    socket = hub.folder / "shares.sock"
    hub.hub("admin", "person", "add", "ada", input=f"{pages.PASSWORD}\n")
    hub.hub("admin", "person", "grant", "ada", "gallery", "viewer")
    hub.start("web", hub.programs / "beaconmon-hub", "web", "--listen", socket, "--url", "https://fleet.example", "--pages", pages.ROOT / "Hub/Web",
              "--pages", pages.ROOT / "Web")
    hub.wait_for(10, socket.exists)
    client = pages.Client(socket)
    assert client.sign_in("ada")[0] == 200
    return client


def traces(hub, devices):
    """Returns where the place is still found: in the rows of the database, and in files and logs of the devices and workers."""
    rows = subprocess.run([hub.servers.postgresql / "pg_dump", "--data-only", "--inserts", hub.servers.database], capture_output=True, text=True, check=True).stdout
    found = ["database"] if LATITUDE[:9] in rows else []
    files = [path for device in devices for path in (device.folder / "state").rglob("*") if path.is_file()] + list(hub.logs.glob("*.log"))
    return found + [str(path) for path in files if LATITUDE[:9].encode() in path.read_bytes()]


def run(programs, hub, report):
    ada = start_page(hub)
    owner, recipient = (FixedDevice(programs, hub, name) for name in NAMES)
    hub.wait_for(20, lambda: owner.list("shares") == [] and recipient.list("friends") == [])
    report.check("the interface of shares is that of its document", is_interface_documented(owner))
    listed = hub.wait_for(10, lambda: json.loads(owner.beaconmon("status", "--json").stdout).get("hub") == {"connected": True, "sharesListed": True})
    report.check("the status of a device names its hub", listed is not None and "connected" in owner.beaconmon("status").stdout)
    # The hub claims a share that never existed, before there is one.
    hub_claims(owner, {"v": 1, "shares": [{"id": "8ec76ea3-6668-48da-9866-75be8bc86f4d", "recipients": [{"name": "ada", "state": "accepted"}]}], "offers": []})
    began = owner.beaconmon("share", "start", "ada", "device:visitor", "--for", "10m", "--purpose", "tour")
    identity = began.stdout.strip()
    offered = hub.wait_for(10, lambda: [f["state"] for f in recipient.list("friends") or []] == ["offered"] and ada.get("shares")[1]["shares"])
    report.check("an offer reaches a device and a person", began.returncode == 0 and offered is not None, began.stderr or f"after {offered or 99:.1f} s")
    hub_claims(owner, {"v": 1, "shares": [{"id": identity, "recipients": [{"name": "eve", "state": "accepted"}]}], "offers": []})
    hub.wait_for(2, lambda: False)
    report.check("a hub that invents a share or a recipient gets no position",
                 not any(share["sending"] for share in owner.list("shares")) and not is_using_location(owner))
    recipient.beaconmon("friends", "accept", "guide")
    ada.post("share/answer", {"site": "gallery", "id": identity, "accepted": True})
    seen = hub.wait_for(10, lambda: [f.get("latitude") for f in recipient.list("friends") or []] == [float(LATITUDE)]
                        and [(s["place"] or {}).get("latitude") for s in ada.get("shares")[1]["shares"]] == [float(LATITUDE)])
    report.check("both see the position after they have accepted", seen is not None and is_using_location(owner), f"after {seen or 99:.1f} s")
    guided = recipient.beaconmon("guide", "--to-person", "guide", "--json")
    report.check("a guide leads to the owner, who is here", guided.returncode == 0 and '"arrived"' in guided.stdout, guided.stderr)
    owner.notifier.kill()
    owner.notifier.wait()
    owner.start_notifier()
    hub.servers.sql("update share set position_at = null")
    again = hub.wait_for(15, lambda: hub.servers.sql("select position_at is not null from share") == [["t"]])
    report.check("a killed notifier goes on with the stored consent", again is not None, f"after {again or 99:.1f} s")
    ended = owner.beaconmon("share", "stop", "--all")
    gone = hub.wait_for(5, lambda: recipient.list("friends") == [] and ada.get("shares")[1]["shares"] == [] and owner.list("shares") == [])
    report.check("the end of a share reaches everyone", ended.returncode == 0 and gone is not None, f"after {gone or 99:.1f} s")
    left = traces(hub, [owner, recipient])
    report.check("no row, file or log has the position", not left, left)
    log = [row[0] for row in hub.servers.sql("select action from share_log order by log_id")]
    report.check("the log has each step", log[0] == "offer" and log.count("accept") == 2 and log.count("read") >= 2 and log[-1] == "end", log)
