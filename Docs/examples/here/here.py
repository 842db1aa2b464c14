#!/usr/bin/python3
"""Prints the location of the device, and enters and exits of a circle: here.py LATITUDE LONGITUDE"""

import sys

from gi.repository import Gio, GLib

if len(sys.argv) != 3:
    sys.exit(__doc__)

NAME, ROOT = "org.beaconmon.Monitor1", "/org/beaconmon/Monitor1"
PLACE = {
    "identifier": GLib.Variant("s", "the place"),
    "latitude": GLib.Variant("d", float(sys.argv[1])),
    "longitude": GLib.Variant("d", float(sys.argv[2])),
    "radius": GLib.Variant("d", 200.0),
}

bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)


def call(path, interface, method, signature, *arguments):
    # The daemon may ask the user first.
    arguments = GLib.Variant(signature, arguments)
    return bus.call_sync(NAME, path, f"{NAME}.{interface}", method, arguments, None, 0, 300_000)


def heard(_bus, _sender, _path, _interface, signal, arguments):
    if signal == "LocationUpdated":
        (location,) = arguments.unpack()
        accuracy = location.get("horizontalAccuracy")
        print(f"{location['latitude']:.5f} {location['longitude']:.5f}" + (f" ± {accuracy:.0f} m" if accuracy else ""), flush=True)
    elif signal == "RegionEvent":
        _, event, identifier, _ = arguments.unpack()
        if event in ("enter", "exit"):
            print(event, identifier, flush=True)
    elif signal == "LocationUnknown":
        print(*arguments.unpack(), flush=True)


try:
    (session,) = call(ROOT, "Manager", "CreateSession", "(a{sv})", {"purpose": GLib.Variant("s", "Shows where you are")}).unpack()
    bus.signal_subscribe(NAME, f"{NAME}.Session", None, session, None, Gio.DBusSignalFlags.NONE, heard)
    call(session, "Session", "StartUpdatingLocation", "(a{sv})", {"distanceFilter": GLib.Variant("d", 10.0)})
    call(session, "Session", "StartMonitoring", "(a{sv})", PLACE)
except GLib.Error as error:
    # GLib puts the name of the error before its message.
    sys.exit(error.message.partition(": ")[2])

GLib.MainLoop().run()
