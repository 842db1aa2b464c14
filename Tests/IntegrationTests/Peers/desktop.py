"""A desktop without a screen: owns org.freedesktop.Notifications and prints each notification as a line of JSON. usage: desktop.py ADDRESS"""

import json
import sys

import dbus.bus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"


class Notifications(dbus.service.Object):
    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, application, replaces, icon, title, body, actions, hints, timeout):
        hints = {str(key): str(value) for key, value in hints.items()}
        fields = {"application": application, "replaces": int(replaces), "title": title, "body": body, "actions": len(actions)}
        print(json.dumps(fields | {"hints": hints, "timeout": int(timeout)}), flush=True)
        return 1


connection = dbus.bus.BusConnection(sys.argv[1], mainloop=DBusGMainLoop())
name = dbus.service.BusName(NAME, connection)
notifications = Notifications(connection, "/org/freedesktop/Notifications")
print("{}", flush=True)
GLib.MainLoop().run()
