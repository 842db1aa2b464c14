#!/usr/bin/python3
"""Prints the nearest beacon once a second. GLib's own D-Bus, from Debian's python3-gi."""

import sys

from gi.repository import Gio, GLib

NAME, ROOT = "org.beaconmon.Monitor1", "/org/beaconmon/Monitor1"
UUID = sys.argv[1] if len(sys.argv) > 1 else "8ec76ea3-6668-48da-9866-75be8bc86f4d"


def ranged(bus, sender, path, interface, signal, parameters):
    constraint, time, beacons = parameters.unpack()
    print(f"{beacons[0]['major']}/{beacons[0]['minor']} {beacons[0]['proximity']}" if beacons else "nothing near", flush=True)


bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
bus.signal_subscribe(NAME, f"{NAME}.Session", "Ranged", None, None, Gio.DBusSignalFlags.NONE, ranged)
options = GLib.Variant("(a{sv})", ({"purpose": GLib.Variant("s", "Shows the exhibit you stand at")},))
(session,) = bus.call_sync(NAME, ROOT, f"{NAME}.Manager", "CreateSession", options, None, 0, -1).unpack()
constraint = GLib.Variant("(a{sv})", ({"uuid": GLib.Variant("s", UUID)},))
bus.call_sync(NAME, session, f"{NAME}.Session", "StartRanging", constraint, None, 0, 300_000)
GLib.MainLoop().run()
