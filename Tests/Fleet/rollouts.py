"""A hostile hub sends rollouts to a real device, and an honest one rolls a region out: canary, soak, the rest, and a failure.

The signatures of forged rollouts are made with openssl, so that they share no code with the hub or the device.
"""
import base64
import json
import pathlib
import subprocess

from programs import DevicePrograms

CANARY, OTHER = "gallery.panel", "gallery.sign"
NAMES = [CANARY, OTHER]
TABLES = """
source = "none"

[location.fixed]
latitude = 48.1371
longitude = 11.5754
accuracy = 3.0
"""
FLOOD = 60
# An array that declares 2^30 items, and arrays in each other.
BOMBS = [bytes.fromhex("9a40000000"), b"\x83\x01\x5a\x7f\xff\xff\xff", b"\x81" * 28_672]


# MARK: Rollouts

def item(kind, count):
    """Returns the head of an item of CBOR."""
    return bytes([kind << 5 | count]) if count < 24 else bytes([kind << 5 | 26]) + count.to_bytes(4, "big")


def text(value):
    return item(3, len(value.encode())) + value.encode()


def octets(value):
    return item(2, len(value)) + value


def envelope(revision, audience, drop_in):
    created = b"\x1b" + (1_795_000_000_000).to_bytes(8, "big")
    entries = item(4, len(audience)) + b"".join(text(name) for name in audience)
    return item(4, 6) + b"\x01" + item(0, revision) + created + entries + text(drop_in) + item(4, 0)


def signed(content, signature):
    return item(4, 3) + b"\x01" + octets(content) + octets(signature)


def region(name):
    return f'[[region]]\nidentifier = "{name}"\nlatitude = 48.1371\nlongitude = 11.5754\nradius = 100.0\n'


class Key:
    """A key of rollouts that the hub's program made."""

    def __init__(self, hub, name):
        self.hub, self.file = hub, hub.folder / f"{name}.key"
        self.line = hub.hub("admin", "rollout", "key", "--out", self.file).stdout.splitlines()[-1]
        seed = base64.b64decode(self.file.read_text().split()[-1])
        # PKCS #8 of RFC 8410.
        private = base64.encodebytes(bytes.fromhex("302e020100300506032b657004220420") + seed).decode()
        self.pem = hub.folder / f"{name}.pem"
        self.pem.write_text(f"-----BEGIN PRIVATE KEY-----\n{private}-----END PRIVATE KEY-----\n")

    def sign(self, revision, audience, drop_in):
        """Returns a rollout that openssl has signed."""
        content = envelope(revision, audience, drop_in)
        message = self.hub.folder / "rollout.message"
        message.write_bytes(b"beaconmon rollout 1\n" + content)
        command = ["openssl", "pkeyutl", "-sign", "-inkey", self.pem, "-rawin", "-in", message]
        return signed(content, subprocess.run(command, check=True, capture_output=True).stdout)

    def sign_by_hub(self, revision, audience, drop_in):
        """Signs with the hub's program, and returns the process."""
        source = self.hub.folder / "drop-in.toml"
        source.write_text(drop_in)
        to = [word for name in audience for word in ("--to", name)]
        command = [self.hub.programs / "beaconmon-hub", "admin", "rollout", "sign", "--key", self.file, *to, "--revision", str(revision), source]
        # Neither a database nor a broker is known here.
        return subprocess.run(command, capture_output=True, env={})

    def write(self, revision, audience, drop_in):
        """Signs a file with the hub's program, and returns the path."""
        done, target = self.sign_by_hub(revision, audience, drop_in), self.hub.folder / f"{revision}.rollout"
        assert done.returncode == 0, done.stderr
        target.write_bytes(done.stdout)
        return target


class PanelDevice(DevicePrograms):
    """A device that trusts the author of rollouts."""

    def __init__(self, programs, hub, name, key):
        super().__init__(programs, hub, name, before=TABLES, after=f"{key.line}\n" + region("door"))
        self.daemon = self.start_program("beaconmond")
        self.start_notifier()

    def status(self):
        done = self.beaconmon("status", "--json")
        return json.loads(done.stdout) if done.returncode == 0 else {"configuration": {"rollout": -1}}

    def rollout(self):
        """Returns the revision that the daemon uses; None without one, and -1 if the daemon does not answer."""
        return self.status().get("configuration", {}).get("rollout")

    def regions(self):
        return {region["identifier"] for region in self.status().get("regions", [])}

    def reported(self):
        """Returns the rollout of the newest report: revision, state and text."""
        rows = self.hub.servers.sql(f"select rollout_revision, rollout_state, rollout_text from device_report where device_id = {self.key()}")
        return rows[0] if rows else None

    def send(self, payload, replaces="true"):
        """Sends a rollout past all rules, as a hub under the control of an attacker would."""
        self.hub.servers.sql(f"select fleet_send({self.key()}, 1::int2, '\\x{payload.hex()}', {replaces})")

    def memory(self):
        """Returns the resident memory of the notifier in kB."""
        lines = pathlib.Path(f"/proc/{self.notifier.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


# MARK: Checks

class Rollouts:
    """The two devices, and the rollout that they get while other parts of the fleet are broken."""

    def __init__(self, programs, hub, report):
        self.hub, self.report = hub, report
        self.author, self.mallory = Key(hub, "author"), Key(hub, "mallory")
        self.canary, self.other = (PanelDevice(programs, hub, name, self.author) for name in NAMES)
        hub.wait_for(20, lambda: all(device.reported() for device in (self.canary, self.other)))
        self.check_forgeries()
        self.check_flood()
        self.start()

    def refuses(self, name, payload, revision, words):
        """Sends a rollout to the canary, and checks its reason to refuse it."""
        before = self.canary.rollout()
        self.canary.send(payload)
        took = self.hub.wait_for(15, lambda: (self.canary.reported() or [""] * 3)[:2] == [str(revision), "2"] and words in self.canary.reported()[2])
        self.report.check(f"a device refuses {name}", took is not None and self.canary.rollout() == before, self.canary.reported())

    def check_forgeries(self):
        good = self.author.sign(900, NAMES, region("shop"))
        place = good.index(b"shop")
        self.refuses("a rollout with a changed octet", good[:place] + b"S" + good[place + 1:], 900, "signature")
        self.refuses("a rollout of another author", self.mallory.sign(901, NAMES, region("shop")), 901, "signature")
        self.refuses("a rollout for other devices", self.author.sign(902, ["gallery.door", "berlin"], region("shop")), 902, CANARY)
        for number, bomb in enumerate(BOMBS):
            self.canary.send(self.mallory.sign(910 + number, NAMES, ""))
            self.hub.wait_for(15, lambda: self.canary.reported()[0] == str(910 + number))
            self.refuses(f"octets that are not a rollout ({len(bomb)})", bomb, 0, "cannot be read")

    def check_flood(self):
        """Sends many rollouts at once, each with a greater revision."""
        before, count = self.canary.memory(), "select count(*) from device_message where kind = 1 and acknowledged_at is null"
        forged = self.mallory.sign(1000, NAMES, "#" * 20_000)
        for number in range(FLOOD):
            self.canary.send(forged[:-1] + bytes([number]), "false")
        took = self.hub.wait_for(60, lambda: self.hub.servers.sql(count) == [["0"]])
        grown = self.canary.memory() - before
        self.report.check("a flood of forged rollouts neither ends nor grows a device", took is not None and self.canary.notifier.poll() is None
                          and self.canary.rollout() is None and grown < 8_000, f"{FLOOD} after {took or 99:.1f} s, {grown} kB more")

    def start(self):
        file = self.author.write(5, NAMES, region("shop"))
        self.hub.hub("admin", "rollout", "start", "--canary", CANARY, "--soak", "5s", file)
        took = self.hub.wait_for(30, lambda: self.canary.reported()[:2] == ["5", "0"] and self.canary.rollout() == 5)
        self.report.check("the canary tries a rollout, and its daemon has the region", took is not None and "shop" in self.canary.regions(),
                          f"after {took or 99:.1f} s")
        # The trial goes on with the file of the notifier.
        self.canary.notifier.kill()
        self.canary.notifier.wait()
        self.canary.start_notifier()
        self.report.check("the other device does not have it yet", self.other.rollout() is None and self.phase(5) == "canary", self.other.reported())

    def phase(self, revision):
        return self.hub.servers.sql(f"select phase from rollout where revision = {revision}")[0][0]

    def check(self):
        """Expects the end of the rollout, and then that of one that cannot work."""
        took = self.hub.wait_for(180, lambda: self.phase(5) == "rest" and self.other.rollout() == 5)
        self.report.check("the other device gets it after the confirmation and the soak", took is not None and self.canary.reported()[:2] == ["5", "1"]
                          and "shop" in self.other.regions(), f"after {took or 999:.1f} s, {self.canary.reported()}")
        self.refuses("an older revision", self.author.sign(4, NAMES, region("yard")), 4, "revision 5 was taken before")
        self.refuses("other octets with its revision", self.author.sign(5, NAMES, region("yard")), 5, "revision 5 was taken before")
        # A forged refusal must not keep the device from the next one.
        self.refuses("a revision that no other can exceed", self.mallory.sign(2**31, NAMES, ""), 2**31, "signature")
        self.check_forbidden()
        row = next(row for row in self.hub.status()["devices"] if row["name"] == CANARY)
        self.report.check("status shows the revision in use, and the refusal", row["revision"] == 5 and row["rollout"]["state"] == "refused", row["rollout"])
        shown = self.hub.hub("admin", "rollout", "status").stdout
        self.report.check("the command shows the rollouts, the newest first", shown.startswith("rollout 6: failed") and "\nrollout 5: sent to all" in shown, shown)
        again = self.hub.hub("admin", "rollout", "continue", check=False, stderr=subprocess.PIPE)
        self.report.check("a rollout that a canary has refused does not continue", again.returncode != 0 and "takes none twice" in again.stderr, again.stderr)
        self.report.check("a rollout is stopped", self.hub.hub("admin", "rollout", "stop").stdout == "stopped rollout 5\n" and self.phase(5) == "stopped")
        audit = self.hub.hub("admin", "audit", "--site", "gallery").stdout
        self.report.check("the audit log has each phase", all(phase in audit for phase in ("start with " + CANARY, "soak", "rest", "failed")))

    def check_forbidden(self):
        """Rolls a command out, which the author has signed past the program of the hub."""
        command = '[[notifier.action]]\nname = "x"\ncommand = ["/bin/touch", "/tmp/owned"]\n'
        refused = self.author.sign_by_hub(6, NAMES, command)
        self.report.check("the program of the hub signs no forbidden key", refused.returncode != 0 and b"notifier" in refused.stderr and not refused.stdout,
                          refused.stderr.decode().strip())
        file = self.hub.folder / "forbidden.rollout"
        file.write_bytes(self.author.sign(6, NAMES, region("yard") + command))
        self.hub.hub("admin", "rollout", "start", "--canary", CANARY, "--soak", "0s", file)
        took = self.hub.wait_for(40, lambda: self.phase(6) == "failed")
        reason = self.hub.servers.sql("select reason from rollout where revision = 6")[0][0]
        self.report.check("a forbidden key ends a rollout at its canary", took is not None and "notifier" in reason and self.canary.rollout() == 5
                          and self.other.rollout() == 5 and self.other.reported()[0] == "5", reason)
