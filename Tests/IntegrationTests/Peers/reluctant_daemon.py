"""A beaconmond that refuses to list its objects at first: usage: reluctant_daemon.py ADDRESS

Its journal is empty. The second GetManagedObjects and all later ones succeed. Prints "ready" once it has its name, and a line for each listing.
"""

import sys

import dbus
import dbus.bus
import dbus.lowlevel
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
connection = dbus.bus.BusConnection(sys.argv[1])
NAME = "org.beaconmon.Monitor1"
REGION = {NAME + ".Region": {"Identifier": "exhibit 1", "State": "inside"}}
listings = 0


def take(connection, message):
    global listings
    if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL:
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
    answer = dbus.lowlevel.MethodReturnMessage(message)
    member = message.get_member()
    if member == "GetAll":
        properties = {"Journal": "3f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11", "EarlierJournals": dbus.Array([], signature="s"), "LastSequence": dbus.UInt64(0)}
        answer.append(properties | {"LocationServicesEnabled": True}, signature="a{sv}")
    elif member == "Get":
        answer.append(True, signature="v")
    elif member == "EventsSince":
        answer.append(dbus.Array([], signature="a{sv}"), signature="aa{sv}")
    elif member == "GetManagedObjects":
        listings += 1
        print(f"listing {listings}", flush=True)
        if listings == 1:
            answer = dbus.lowlevel.ErrorMessage(message, "org.freedesktop.DBus.Error.NoMemory", "out of memory")
        else:
            answer.append({"/org/beaconmon/Monitor1/region/1": REGION}, signature="a{oa{sa{sv}}}")
    connection.send_message(answer)
    return dbus.lowlevel.HANDLER_RESULT_HANDLED


connection.add_message_filter(take)
connection.request_name(NAME)
print("ready", flush=True)
GLib.MainLoop().run()
