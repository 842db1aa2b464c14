"""Many sessions at once: usage: crowd.py ADDRESS CONNECTIONS SESSIONS CONSTRAINT_JSON

Opens CONNECTIONS connections with SESSIONS sessions each, and ranges the constraint in all of them. Prints one JSON object for every line on
standard input: the number of sessions and of snapshots so far. Ends with standard input.
"""

import json
import sys

import dbus.bus
import dbus.lowlevel
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME, ROOT = "org.beaconmon.Monitor1", "/org/beaconmon/Monitor1"
address, connections, sessions = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
constraint = json.loads(sys.argv[4])
heard, errors, paths = {"Ranged": 0, "RegionEvent": 0, "Stopped": 0}, {}, []
loop = GLib.MainLoop()
main_loop = DBusGMainLoop()


def receive(_, message):
    member = message.get_member()
    if message.get_type() == 4 and member in heard and message.get_interface() == f"{NAME}.Session":
        heard[member] += 1
    return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED


def fail(error):
    errors[error.get_dbus_name()] = errors.get(error.get_dbus_name(), 0) + 1
    errors["message"] = error.get_dbus_message()


def connect():
    connection = dbus.bus.BusConnection(address, mainloop=main_loop)
    connection.add_message_filter(receive)

    def opened(path):
        paths.append(str(path))
        if constraint:
            connection.call_async(NAME, path, f"{NAME}.Session", "StartRanging", "a{sv}", [constraint], lambda: None, fail)

    for _ in range(sessions):
        connection.call_async(NAME, ROOT, f"{NAME}.Manager", "CreateSession", "a{sv}", [{"purpose": "a crowd"}], opened, fail)
    return connection


def answer(stream, _):
    if not stream.readline():
        loop.quit()
        return False
    print(json.dumps({"sessions": len(paths), "errors": errors} | heard), flush=True)
    return True


everyone = [connect() for _ in range(connections)]
GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, answer)
loop.run()
