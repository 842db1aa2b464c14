"""A client that reads and does not answer the daemon's ping until it has stopped ranging: usage: unanswering.py ADDRESS

Prints "ranging" once it ranges. Stops ranging when no messages come any more, then answers the ping, and prints as JSON the snapshots before and
after the answer to its StopRanging.
"""

import json
import os
import socket
import struct
import sys

from bus_fuzzer import NAME, ROOT, UUID
from bus_messages import message

CALL, REPLY, SIGNAL = 1, 2, 4
MEMBER, REPLY_SERIAL, DESTINATION, SENDER, PATH, INTERFACE = 3, 5, 6, 7, 1, 2
CONSTRAINT = [[("uuid", ("s", UUID))]]


class Client:
    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(address.split("unix:path=")[1].split(",")[0])
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        self.socket.recv(1024)
        self.socket.sendall(b"BEGIN\r\n")
        self.octets, self.serial, self.snapshots, self.ping = b"", 0, 0, None
        self.call("/", "org.freedesktop.DBus", "Hello", to="org.freedesktop.DBus")

    def send(self, path, interface, member, signature="", arguments=(), to=NAME):
        self.serial += 1
        fields = [(PATH, ("o", path)), (INTERFACE, ("s", interface)), (MEMBER, ("s", member)), (DESTINATION, ("s", to))]
        self.socket.sendall(message(CALL, self.serial, fields, signature, arguments))
        return self.serial

    def call(self, *arguments, **more):
        """Returns the body of the answer, and counts the snapshots before it."""
        serial = self.send(*arguments, **more)
        while True:
            kind, fields, body = self.receive()
            if kind != CALL and fields.get(REPLY_SERIAL) == serial:
                assert kind == REPLY, body
                return body

    def answer(self):
        self.serial += 1
        serial, sender = self.ping
        self.socket.sendall(message(REPLY, self.serial, [(REPLY_SERIAL, ("u", serial)), (DESTINATION, ("s", sender))]))

    def receive(self):
        kind, body_length, serial, fields_length = struct.unpack("<xBxxIII", self.take(16))
        fields = header(self.take(fields_length + -fields_length % 8)[:fields_length])
        body = self.take(body_length)
        if kind == CALL:
            self.ping = (serial, fields[SENDER])
        self.snapshots += kind == SIGNAL and fields.get(MEMBER) == "Ranged"
        return kind, fields, body

    def take(self, count):
        while len(self.octets) < count:
            more = self.socket.recv(1 << 16)
            assert more, "the bus has hung up"
            self.octets += more
        taken, self.octets = self.octets[:count], self.octets[count:]
        return taken


def header(octets):
    """Returns header fields by their code, for the types that occur."""
    fields, place = {}, 0
    while place < len(octets):
        place += -place % 8
        code, letter = octets[place], chr(octets[place + 2])
        place += 4
        if letter == "u":
            fields[code] = struct.unpack_from("<I", octets, place)[0]
            place += 4
        elif letter == "g":
            place += octets[place] + 2
        else:
            length = struct.unpack_from("<I", octets, place)[0]
            fields[code] = octets[place + 4 : place + 4 + length].decode()
            place += length + 5
    return fields


client = Client(sys.argv[1])
answer = client.call(ROOT, f"{NAME}.Manager", "CreateSession", "a{sv}", [[("purpose", ("s", "a test"))]])
session = answer[4:-1].decode()
client.call(session, f"{NAME}.Session", "StartRanging", "a{sv}", CONSTRAINT)
print("ranging", flush=True)
client.socket.settimeout(1)
try:
    while True:
        client.receive()
except TimeoutError:
    pass
client.socket.settimeout(10)
assert client.ping, "nobody has asked"
client.call(session, f"{NAME}.Session", "StopRanging", "a{sv}", CONSTRAINT)
before, client.snapshots = client.snapshots, 0
client.answer()
client.call(ROOT, "org.freedesktop.DBus.Peer", "Ping")
client.call(ROOT, "org.freedesktop.DBus.Peer", "Ping")
print(json.dumps({"before": before, "after": client.snapshots}), flush=True)
