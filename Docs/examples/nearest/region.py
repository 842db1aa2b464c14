#!/usr/bin/python3
"""Follows a region of the config by its identifier alone: usage: region.py IDENTIFIER. GLib's own D-Bus, from Debian's python3-gi."""

import sys

from gi.repository import Gio, GLib

NAME, ROOT = "org.beaconmon.Monitor1", "/org/beaconmon/Monitor1"
IDENTIFIER = sys.argv[1] if len(sys.argv) > 1 else "entrance"


def told(bus, sender, path, interface, signal, parameters):
    if signal == "RegionState":
        identifier, details = parameters.unpack()
        print(f"{identifier} is {details['state']}", flush=True)
    elif signal == "RegionEvent":
        sequence, event, identifier, details = parameters.unpack()
        print(f"{event} {identifier}", flush=True)


bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
bus.signal_subscribe(NAME, f"{NAME}.Session", None, None, None, Gio.DBusSignalFlags.NONE, told)
options = GLib.Variant("(a{sv})", ({"purpose": GLib.Variant("s", "Follows who comes and goes")},))
(session,) = bus.call_sync(NAME, ROOT, f"{NAME}.Manager", "CreateSession", options, None, 0, -1).unpack()
region = GLib.Variant("(a{sv})", ({"identifier": GLib.Variant("s", IDENTIFIER)},))
bus.call_sync(NAME, session, f"{NAME}.Session", "StartMonitoring", region, None, 0, 300_000)
GLib.MainLoop().run()
