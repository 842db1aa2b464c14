"""A desktop without a screen: owns org.freedesktop.Notifications and prints each notification as a line of JSON. It answers each one that has
actions with KEY, and has the app org.example.Guide, whose activations it prints. usage: desktop.py ADDRESS [KEY]"""

import json
import sys

import dbus.bus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"
KEY = sys.argv[2] if len(sys.argv) > 2 else None


class Notifications(dbus.service.Object):
    last = 0

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, application, replaces, icon, title, body, actions, hints, timeout):
        hints = {str(key): str(value) for key, value in hints.items()}
        fields = {"application": application, "replaces": int(replaces), "title": title, "body": body, "actions": len(actions)}
        print(json.dumps(fields | {"hints": hints, "timeout": int(timeout)}), flush=True)
        self.last += 1
        if KEY in actions:
            GLib.idle_add(self.answer, self.last)
        return self.last

    @dbus.service.method(NAME, in_signature="", out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body"]

    @dbus.service.method(NAME, in_signature="u", out_signature="")
    def CloseNotification(self, number):
        print(json.dumps({"closed": int(number)}), flush=True)

    def answer(self, number):
        self.ActivationToken(number, "token")
        self.ActionInvoked(number, KEY)
        self.NotificationClosed(number, 2)

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, number, key):
        pass

    @dbus.service.signal(NAME, signature="us")
    def ActivationToken(self, number, token):
        pass

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, number, reason):
        pass


class Guide(dbus.service.Object):
    @dbus.service.method("org.freedesktop.Application", in_signature="a{sv}", out_signature="")
    def Activate(self, platform):
        print(json.dumps({"activated": {str(key): str(value) for key, value in platform.items()}}), flush=True)

    @dbus.service.method("org.freedesktop.Application", in_signature="sava{sv}", out_signature="")
    def ActivateAction(self, action, parameters, platform):
        print(json.dumps({"action": action, "parameters": [str(value) for value in parameters]}), flush=True)


connection = dbus.bus.BusConnection(sys.argv[1], mainloop=DBusGMainLoop())
name = dbus.service.BusName(NAME, connection)
notifications = Notifications(connection, "/org/freedesktop/Notifications")
if KEY:
    guide_name = dbus.service.BusName("org.example.Guide", connection)
    guide = Guide(connection, "/org/example/Guide")
print("{}", flush=True)
GLib.MainLoop().run()
