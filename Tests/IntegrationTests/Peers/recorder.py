"""Starts a recording of the daemon: usage: recorder.py ADDRESS socket|pipe|file|udp OPTIONS FILE

Passes a descriptor of this kind, and prints "recording" or the error. Then obeys standard input: "stop" shuts its end down, "leave" leaves the
bus, "read" reads until the end into FILE and prints the number of bytes. OPTIONS is a JSON object.
"""

import json
import os
import socket
import sys

import dbus.bus
import dbus.types

address, kind, options, path = sys.argv[1:]
bus = dbus.bus.BusConnection(address)
near = None
if kind == "socket":
    near, far = socket.socketpair()
elif kind == "udp":
    far = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
elif kind == "pipe":
    far = os.fdopen(os.pipe()[1], "wb")
else:
    far = open(path, "wb")
options = dbus.Dictionary({key: dbus.UInt64(value) if type(value) is int else value for key, value in json.loads(options).items()}, signature="sv")
name = "org.beaconmon.Monitor1"
try:
    bus.call_blocking(name, "/org/beaconmon/Monitor1", name + ".Manager", "StartRecording", "ha{sv}", [dbus.types.UnixFd(far), options])
    print("recording", flush=True)
except dbus.DBusException as error:
    print(error.get_dbus_name(), error.get_dbus_message(), flush=True)
far.close()
for line in sys.stdin:
    if line == "stop\n":
        near.shutdown(socket.SHUT_WR)
    elif line == "leave\n":
        bus.close()
    elif line == "read\n":
        data = b""
        while chunk := near.recv(65536):
            data += chunk
        open(path, "wb").write(data)
        print(len(data), flush=True)
