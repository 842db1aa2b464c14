#!/usr/bin/python3
"""A client with a session that watches its own circle, calls every getter, and ends when it has entered: usage: session.py BUS_ADDRESS."""
import sys

from gi.repository import Gio, GLib

NAME, ROOT = "org.beaconmon.Monitor1", "/org/beaconmon/Monitor1"
FLAGS = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
bus = Gio.DBusConnection.new_for_address_sync(sys.argv[1], FLAGS, None, None)


def call(path, interface, member, arguments=None):
    return bus.call_sync(NAME, path, interface, member, arguments, None, 0, 60_000).unpack()


def options(**values):
    return GLib.Variant("(a{sv})", (values,))


def number(value):
    return GLib.Variant("d", value)


loop = GLib.MainLoop()


def receive(connection, sender, path, interface, signal, values):
    if signal == "RegionEvent" and interface == f"{NAME}.Session" and values.unpack()[1] == "enter":
        loop.quit()


bus.signal_subscribe(NAME, None, None, None, None, Gio.DBusSignalFlags.NONE, receive)
(session,) = call(ROOT, f"{NAME}.Manager", "CreateSession", options(purpose=GLib.Variant("s", "Lists the functions of a session")))
call(session, f"{NAME}.Session", "StartUpdatingLocation", options(distanceFilter=number(10)))
circle = {"latitude": number(50.2524), "longitude": number(8.51), "radius": number(50)}
call(session, f"{NAME}.Session", "StartMonitoring", options(identifier=GLib.Variant("s", "desk"), **circle))
for interface in ("Manager", "Privacy"):
    call(ROOT, "org.freedesktop.DBus.Properties", "GetAll", GLib.Variant("(s)", (f"{NAME}.{interface}",)))
call(ROOT, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
call(ROOT, "org.freedesktop.DBus.Peer", "Ping")
loop.run()
