"""A beaconmond that stops after its first answer: usage: hanging_daemon.py ADDRESS [leave]

Answers pings and the first property call, and stops itself at the next call, as with SIGSTOP. With "leave" it gives up its name instead, and never
answers the call. Prints a line when it has its name.
"""

import os
import signal
import sys

import dbus.bus
import dbus.lowlevel
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
connection = dbus.bus.BusConnection(sys.argv[1])


def take(connection, message):
    # libdbus answers pings before any filter.
    if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL:
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
    if message.get_member() != "Get":
        if sys.argv[2:] == ["leave"]:
            connection.release_name("org.beaconmon.Monitor1")
            return dbus.lowlevel.HANDLER_RESULT_HANDLED
        os.kill(os.getpid(), signal.SIGSTOP)
    answer = dbus.lowlevel.MethodReturnMessage(message)
    answer.append("3f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11", signature="v")
    connection.send_message(answer)
    return dbus.lowlevel.HANDLER_RESULT_HANDLED


connection.add_message_filter(take)
connection.request_name("org.beaconmon.Monitor1")
print("ready", flush=True)
GLib.MainLoop().run()
