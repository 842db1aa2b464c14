"""Hostile clients of the daemon: usage: bus_fuzzer.py ADDRESS SECONDS SEED

Writes D-Bus messages by hand to the bus' socket as several clients at once, with these faults:

- existing members with arguments of random types and sizes, and unknown members
- half messages, and octets that are not messages
- floods whose answers are never read, and strings of megabytes
- other clients' sessions, and forged signals
- connections that end in between

A seed always does the same. Prints one JSON object with the numbers of messages and connections.
"""

import json
import os
import random
import re
import socket
import struct
import sys
import threading
import time

from bus_messages import FORMATS, message, split

NAME, ROOT = "org.beaconmon.Monitor1", "/org/beaconmon/Monitor1"
UUID = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
CLIENTS = 4
SESSION = re.compile(rb"/org/beaconmon/Monitor1/session/[0-9a-f]{32}")
MEMBERS = {
    f"{NAME}.Manager": {"CreateSession": "a{sv}", "EventsSince": "stu", "DailyVisits": "ssu", "StartRecording": "ha{sv}"},
    f"{NAME}.Session": {
        "StartRanging": "a{sv}", "StopRanging": "a{sv}", "StartMonitoring": "a{sv}", "StopMonitoring": "s", "RequestState": "s",
        "StartScanning": "", "StopScanning": "", "Close": "", "RequestAuthorization": "s",
        "RegisterRegion": "a{sv}", "UnregisterRegion": "s", "FollowRegisteredRegions": "", "RegisteredEventsSince": "stu",
        "StartUpdatingLocation": "a{sv}", "StopUpdatingLocation": "", "RequestLocation": "a{sv}", "SetManualLocation": "a{sv}",
    },
    f"{NAME}.Privacy": {
        "Decisions": "", "Requests": "", "Uses": "", "Grant": "sus", "Revoke": "su", "Reset": "su",
        "Registrations": "", "RemoveRegistrations": "us",
    },
    f"{NAME}.Region": {"RequestState": ""},
    "org.freedesktop.DBus.Properties": {"Get": "ss", "GetAll": "s", "Set": "ssv"},
    "org.freedesktop.DBus.Introspectable": {"Introspect": ""},
    "org.freedesktop.DBus.ObjectManager": {"GetManagedObjects": ""},
    "org.freedesktop.DBus.Peer": {"Ping": "", "GetMachineId": ""},
}  # fmt: skip
KEYS = [
    "identifier", "uuid", "major", "minor", "within", "leaveBeyond", "hold", "exitDelay", "minimumRssi", "enterSightings", "dwell", "assume",
    "notifyOnEntry", "purpose", "appId", "", "exit-delay", "\u2603",
]  # fmt: skip
# The argument types of each member, so that some calls are nearly right.
OPTIONS = {
    "StartMonitoring": ["identifier", "latitude", "longitude", "radius", "dwell", "scanOnlyNear", "scanOnlyBelow", "uuid"],
    "StartUpdatingLocation": ["desiredAccuracy", "distanceFilter", "significantChanges"],
    "RequestLocation": ["desiredAccuracy", "timeout"],
    "SetManualLocation": ["latitude", "longitude", "horizontalAccuracy", "altitude", "floor"],
}  # fmt: skip
OPTIONS["RegisterRegion"] = OPTIONS["StartMonitoring"]
RIGHT = {
    "identifier": ("s", ["desk", "shop", "\u2603" * 30]), "latitude": ("d", [52.5, -90.0, 90.0]), "longitude": ("d", [13.4, 180.0, -180.0]),
    "radius": ("d", [1.0, 100.0, 1e6]), "dwell": ("s", ["1s"]), "desiredAccuracy": ("d", [0.0, 10.0, 3000.0]), "distanceFilter": ("d", [0.1, 10.0]),
    "significantChanges": ("b", [0, 1]), "timeout": ("s", ["100ms", "10m"]), "horizontalAccuracy": ("d", [5.0]), "altitude": ("d", [-5.0]), "floor": ("i", [-1]),
}  # fmt: skip


class Hostile:
    # The latest sessions of all clients.
    paths = []

    def __init__(self, address, seed):
        self.random = random.Random(seed)
        self.path = address.split("unix:path=")[1].split(",")[0]
        self.messages = self.connections = 0

    def run(self, end):
        while time.monotonic() < end:
            try:
                self.connect()
                for _ in range(self.random.randrange(1, 200)):
                    if time.monotonic() > end:
                        break
                    self.act()
            except OSError:
                pass  # The bus has disconnected the client, as it may.
            self.socket.close()

    def connect(self):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(2)
        self.socket.connect(self.path)
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        self.socket.recv(1024)
        self.socket.sendall(b"BEGIN\r\n")
        self.serial = 0
        self.connections += 1
        self.send(1, "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "Hello")
        for _ in range(self.random.randrange(4)):
            purpose = [("purpose", ("s", "to do harm")), ("appId", ("s", "org.example.Harm"))]
            self.send(1, NAME, ROOT, f"{NAME}.Manager", "CreateSession", "a{sv}", [purpose])
        self.drain()

    def send(self, kind, destination, path, interface, member, signature="", arguments=(), flags=0):
        self.serial += 1
        fields = [(1, ("o", path)), (2, ("s", interface)), (3, ("s", member)), (6, ("s", destination))]
        octets = message(kind, self.serial, fields, signature, arguments, flags)
        self.messages += 1
        if self.random.random() < 0.005:
            self.socket.sendall(octets[: self.random.randrange(len(octets))])
            raise OSError("left in the midst of a message")
        self.socket.sendall(octets)
        return octets

    def act(self):
        choice = self.random.random()
        if choice < 0.80:
            self.call()
        elif choice < 0.84:
            for _ in range(self.random.randrange(1, 100)):
                self.call()
        elif choice < 0.845:
            self.large()
        elif choice < 0.89:
            self.forge()
        elif choice < 0.895:
            self.socket.sendall(self.random.randbytes(self.random.randrange(1, 400)))
        else:
            self.drain()
        # The pace of the fuzzer: 300 messages a second on average.
        time.sleep(self.random.expovariate(300))

    def drain(self):
        self.socket.settimeout(0.01)
        try:
            while octets := self.socket.recv(1 << 16):
                Hostile.paths = (Hostile.paths + [path.decode() for path in SESSION.findall(octets)])[-40:]
        except TimeoutError:
            pass
        self.socket.settimeout(2)

    def call(self):
        interface = self.random.choice(list(MEMBERS))
        member = self.random.choice(list(MEMBERS[interface]))
        signature = MEMBERS[interface][member]
        if self.random.random() < 0.15:
            signature = "".join(self.type() for _ in range(self.random.randrange(4)))
        if "h" in signature:
            signature = signature.replace("h", "u")
        if self.random.random() < 0.03:
            member = self.random.choice(["Nothing", "startRanging", "X" * 255])
        arguments = [self.value(part) for part in split(signature)]
        if signature == "a{sv}" and member in OPTIONS and self.random.random() < 0.7:
            arguments = [self.options(member)]
        self.send(1, NAME, self.object(interface), interface, member, signature, arguments, self.random.choice([0, 0, 0, 1]))

    def object(self, interface):
        if interface.endswith(".Session") or self.random.random() < 0.2:
            # A session path: our own, another client's (which a real client could not guess), one that has ended, or none.
            if Hostile.paths and self.random.random() < 0.9:
                return self.random.choice(Hostile.paths)
            return f"{ROOT}/session/{self.random.getrandbits(128):032x}"
        return self.random.choice([ROOT, ROOT, f"{ROOT}/region/hall", "/", f"{ROOT}/session", "/a" * 100])

    def type(self, depth=0):
        letters = "ybnqiuxtdsogv" if depth > 3 else "ybnqiuxtdsogvaa({"
        kind = self.random.choice(letters)
        if kind == "a":
            return "a" + self.type(depth + 1)
        if kind == "(":
            return "(" + "".join(self.type(depth + 1) for _ in range(self.random.randrange(1, 4))) + ")"
        if kind == "{":
            return "a{" + self.random.choice("ysqut") + self.type(depth + 1) + "}"
        return kind

    def value(self, signature, depth=0):
        kind, choose = signature[0], self.random
        if signature == "a{sv}":
            return [(choose.choice(KEYS), self.variant(depth)) for _ in range(choose.randrange(6))]
        if kind == "a":
            return [self.value(signature[1:], depth + 1) for _ in range(choose.choice([0, 1, 2, 5]) if depth < 5 else 0)]
        if kind in "({":
            return [self.value(part, depth + 1) for part in split(signature[1:-1])]
        if kind == "v":
            return self.variant(depth)
        if kind == "b":
            return choose.randrange(2)
        if kind == "d":
            return choose.choice([0.0, 1.0, -1.0, 3.0, 1e308, float("nan"), float("inf"), choose.uniform(-200, 200)])
        if kind == "s":
            return choose.choice([UUID, UUID, "always", "desk", "hall", "", "30s", "-1s", "outside", "\u2603" * 70, "\x07", "x" * choose.randrange(300), NAME + ".Session"])
        if kind == "o":
            return choose.choice(["/", ROOT, "/a/b"])
        if kind == "g":
            return choose.choice(["", "s", "a{sv}", "(" * 10 + "s" + ")" * 10])
        size = struct.calcsize(FORMATS[kind]) * 8
        low, high = (-(1 << size - 1), (1 << size - 1) - 1) if kind in "nix" else (0, (1 << size) - 1)
        return choose.choice([low, high, 0, 1, choose.randint(low, high)])

    def options(self, member):
        """Returns arguments, most of them valid."""
        options = []
        for key in OPTIONS[member]:
            kind, values = RIGHT.get(key, ("s", ["x"]))
            if self.random.random() < 0.75 and key in RIGHT:
                options.append((key, (kind, self.random.choice(values)) if self.random.random() < 0.85 else self.variant(0)))
            elif self.random.random() < 0.1:
                options.append((key, self.variant(0)))
        return options

    def variant(self, depth):
        if depth > 5:
            return ("s", "deep")
        signature = self.random.choice(["s", "s", "s", "q", "i", "d", "b", self.type(depth + 1)])
        return (signature, self.value(signature, depth + 1))

    def large(self):
        """Returns megabytes: a text, a key, millions of small values, a path."""
        # libdbus and the bus take a tenth of a second for 10 MB, so frequent ones would starve every client.
        size = 10_000_000 if self.random.random() < 0.05 else self.random.choice([100_000, 300_000, 1_000_000])
        text = "8" * size
        session = self.object(f"{NAME}.Session")
        which = self.random.randrange(5)
        if which == 0:
            self.send(1, NAME, session, f"{NAME}.Session", "StartMonitoring", "a{sv}", [[("identifier", ("s", text)), ("uuid", ("s", UUID))]])
        elif which == 1:
            self.send(1, NAME, session, f"{NAME}.Session", "StartRanging", "a{sv}", [[(text, ("s", UUID))]])
        elif which == 2:
            self.send(1, NAME, ROOT, "org.freedesktop.DBus.Properties", "Get", "ss", [f"{NAME}.Manager", text])
        elif which == 3:
            self.send(1, NAME, ROOT, f"{NAME}.Manager", "CreateSession", "a{sv}", [[("", ("ay", b""))] + [("k", ("q", 1))] * min(size // 20, 50_000)])
        else:
            self.send(1, NAME, "/" + text[:60000], f"{NAME}.Session", "Close")

    def forge(self):
        """Returns signals and answers without a request."""
        self.serial += 1
        common = [(1, ("o", "/org/freedesktop/DBus")), (2, ("s", "org.freedesktop.DBus")), (6, ("s", NAME))]
        if self.random.random() < 0.5:
            name = f":1.{self.random.randrange(40)}"
            octets = message(4, self.serial, common + [(3, ("s", "NameOwnerChanged"))], "sss", [name, name, ""])
        else:
            octets = message(self.random.choice([2, 3]), self.serial, [(4, ("s", "a.b")), (5, ("u", self.random.randrange(1, 5000))), (6, ("s", NAME))], "s", ["x"])
        self.messages += 1
        self.socket.sendall(octets)


def main():
    address, seconds, seed = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    end = time.monotonic() + seconds
    hostiles = [Hostile(address, seed * CLIENTS + number) for number in range(CLIENTS)]
    threads = [threading.Thread(target=hostile.run, args=(end,)) for hostile in hostiles]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({"messages": sum(h.messages for h in hostiles), "connections": sum(h.connections for h in hostiles)}), flush=True)


if __name__ == "__main__":
    main()
