"""A well-behaved client among hostile ones: usage: honest.py ADDRESS SESSION_UUID

Ranges the UUID and monitors one of its beacons as a region. Fifty times a second it requests the region's state from the daemon, and the identity
from the bus. When standard input ends, it prints one JSON object: the times of the snapshots, the numbers of the events, and for both kinds of
call the number, the failures, and the 90th and 99th percentile of the latency in milliseconds. It also prints for how many milliseconds the daemon
uses a processor for a burst of 100 calls, when the hostile clients have left: the speed of this build on this machine.
"""

import json
import os
import sys
import time

import dbus.bus
import dbus.lowlevel
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME, ROOT = "org.beaconmon.Monitor1", "/org/beaconmon/Monitor1"
SESSION = f"{NAME}.Session"
address, uuid = sys.argv[1:]
loop = GLib.MainLoop()
connection = dbus.bus.BusConnection(address, mainloop=DBusGMainLoop())
session = connection.call_blocking(NAME, ROOT, f"{NAME}.Manager", "CreateSession", "a{sv}", [{"purpose": "an honest test"}])
times, events, stopped = [], [], []
took, failures = {"daemon": [], "bus": []}, []


def receive(_, message):
    if message.get_interface() == SESSION:
        arguments = message.get_args_list()
        if message.get_member() == "Ranged":
            times.append(int(arguments[1]))
        if message.get_member() == "RegionEvent":
            events.append(int(arguments[0]))
        if message.get_member() == "Stopped":
            stopped.append(str(arguments[0]))
    return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED


def ask(whom, *call):
    start = time.monotonic()
    connection.call_async(
        *call, lambda *_: took[whom].append((time.monotonic() - start) * 1000), lambda error: failures.append(error.get_dbus_name()))


def processor_time():
    """Returns the milliseconds for which the daemon has used a processor."""
    daemon = connection.call_blocking("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s", [NAME])
    with open(f"/proc/{daemon}/stat") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) * 1000 / os.sysconf("SC_CLK_TCK")


def burst():
    """Waits until the daemon has answered 100 calls, as many as the largest burst of a hostile client."""
    waiting = list(range(100))
    for _ in list(waiting):
        connection.call_async(
            NAME, session, SESSION, "RequestState", "s", ["all"], lambda *_: waiting.pop(),
            lambda error: (waiting.pop(), failures.append(error.get_dbus_name())))  # fmt: skip
    while waiting:
        loop.get_context().iteration(True)


def ask_both():
    ask("daemon", NAME, session, SESSION, "RequestState", "s", ["all"])
    ask("bus", "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetId", "", [])
    return True


def finish(stream, _):
    GLib.source_remove(asking)
    before = processor_time()
    for _ in range(50):
        burst()
    took_bursts = processor_time() - before
    percentiles = {whom: [sorted(took[whom])[len(took[whom]) * percent // 100] for percent in (90, 99)] for whom in took}
    print(json.dumps({
        "times": times, "events": events, "stopped": stopped, "failures": failures, "count": len(took["daemon"]), **percentiles,
        "burst": took_bursts / 50,
    }), flush=True)  # fmt: skip
    loop.quit()
    return False


connection.add_message_filter(receive)
connection.call_blocking(NAME, session, SESSION, "StartRanging", "a{sv}", [{"uuid": uuid}])
connection.call_blocking(NAME, session, SESSION, "StartMonitoring", "a{sv}", [{"identifier": "all", "uuid": uuid, "major": 1, "minor": 1, "exitDelay": "2s"}])
asking = GLib.timeout_add(20, ask_both)
GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_HUP, finish)
print("READY", flush=True)
loop.run()
