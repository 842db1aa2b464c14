"""A beaconmond of a version before the option "locale": usage: old_daemon.py ADDRESS

It knows the location of the device. Prints "ready" once it has its name, and a line with the options of each request.
"""

import sys

import dbus
import dbus.bus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
connection = dbus.bus.BusConnection(sys.argv[1])
NAME = "org.beaconmon.Monitor1"
SESSION = "/org/beaconmon/Monitor1/session/1"
LOCATION = dbus.Dictionary({"latitude": 48.1, "longitude": 11.5, "horizontalAccuracy": 5.0, "source": "gpsd", "age": 0.1}, signature="sv")


class InvalidOptions(dbus.DBusException):
    _dbus_error_name = NAME + ".Error.InvalidOptions"


def check(method, options):
    print(method, ",".join(sorted(str(key) for key in options)), flush=True)
    for key in options:
        if key not in ("desiredAccuracy", "timeout", "distanceFilter"):
            raise InvalidOptions(f'unknown option "{key}"; {method} has desiredAccuracy, timeout')


class Manager(dbus.service.Object):
    @dbus.service.method(NAME + ".Manager", in_signature="a{sv}", out_signature="o")
    def CreateSession(self, options):
        return dbus.ObjectPath(SESSION)


class Session(dbus.service.Object):
    @dbus.service.method(NAME + ".Session", in_signature="a{sv}", out_signature="a{sv}")
    def RequestLocation(self, options):
        check("RequestLocation", options)
        return LOCATION

    @dbus.service.method(NAME + ".Session", in_signature="a{sv}")
    def StartUpdatingLocation(self, options):
        check("StartUpdatingLocation", options)
        GLib.idle_add(lambda: self.LocationUpdated(LOCATION) and False)

    @dbus.service.signal(NAME + ".Session", signature="a{sv}")
    def LocationUpdated(self, location):
        pass

    @dbus.service.method(NAME + ".Session")
    def Close(self):
        pass


manager = Manager(connection, "/org/beaconmon/Monitor1")
session = Session(connection, SESSION)
connection.request_name(NAME)
print("ready", flush=True)
GLib.MainLoop().run()
