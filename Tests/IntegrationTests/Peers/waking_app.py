"""An app that its session bus starts and wakes: usage: waking_app.py APP_ID FILE [deaf]

Writes a line of JSON to FILE when it starts and for each action. With "deaf" it has no action.
"""

import json
import os
import sys

import dbus.bus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib


def say(**fields):
    with open(sys.argv[2], "a", encoding="utf-8") as file:
        file.write(json.dumps(fields) + "\n")


def plain(value):
    if isinstance(value, dict):
        return {str(key): plain(element) for key, element in value.items()}
    return bool(value) if isinstance(value, dbus.Boolean) else value


class App(dbus.service.Object):
    @dbus.service.method("org.freedesktop.Application", in_signature="sava{sv}")
    def ActivateAction(self, action, parameter, platform_data):
        if len(sys.argv) > 3:
            raise dbus.exceptions.DBusException("no such action", name="org.freedesktop.DBus.Error.UnknownMethod")
        say(action=str(action), path=self.__dbus_object_path__, details=[plain(value) for value in parameter], platform=plain(platform_data))


connection = dbus.bus.BusConnection(os.environ["DBUS_STARTER_ADDRESS"], mainloop=DBusGMainLoop())
app = App(connection, "/" + sys.argv[1].replace(".", "/").replace("-", "_"))
say(started=os.getpid())
name = dbus.service.BusName(sys.argv[1], connection, do_not_queue=True)
loop = GLib.MainLoop()
# The app ends with its bus, as apps do.
connection.call_on_disconnection(lambda _: loop.quit())
loop.run()
