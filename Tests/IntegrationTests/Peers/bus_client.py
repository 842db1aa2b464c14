"""A D-Bus client that tests control: usage: bus_client.py ADDRESS [MATCH_RULE...]

Prints one JSON object a line: first its own name, then every signal that it receives, and the answer to every call that standard input
requests. Ends with standard input.
"""

import json
import os
import sys

import dbus.bus
import dbus.lowlevel
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

SIGNAL = 4
TYPES = {
    dbus.Boolean: (bool, "b"), dbus.Byte: (int, "y"), dbus.Double: (float, "d"), dbus.String: (str, "s"), dbus.ObjectPath: (str, "o"),
    dbus.Int16: (int, "n"), dbus.Int32: (int, "i"), dbus.Int64: (int, "x"),
    dbus.UInt16: (int, "q"), dbus.UInt32: (int, "u"), dbus.UInt64: (int, "t"),
}  # fmt: skip


def walk(value, leaf):
    """Returns the same tree with plain containers, and with `leaf` of each value."""
    if isinstance(value, dbus.Dictionary):
        return {str(key): walk(element, leaf) for key, element in value.items()}
    if isinstance(value, (list, tuple)):
        return [walk(element, leaf) for element in value]
    return leaf(value)


def plain(value):
    return walk(value, lambda leaf: TYPES[type(leaf)][0](leaf))


def types(value):
    return walk(value, lambda leaf: TYPES[type(leaf)][1])


def say(**fields):
    print(json.dumps(fields), flush=True)


def receive(_, message):
    if message.get_type() == SIGNAL and message.get_sender() != "org.freedesktop.DBus":
        arguments = message.get_args_list()
        say(
            signal=message.get_member(), interface=message.get_interface(), path=message.get_path(), sender=message.get_sender(),
            destination=message.get_destination(), arguments=plain(arguments), types=types(arguments),
        )  # fmt: skip
    return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED


def obey(stream, _):
    """Returns all available lines: lines in the buffer of a stream would not wake the loop."""
    global unfinished
    octets = os.read(stream.fileno(), 1 << 16)
    if not octets:
        loop.quit()
        return False
    *lines, unfinished = (unfinished + octets).split(b"\n")
    for line in lines:
        call(json.loads(line))
    return True


def typed(value):
    """Gives a number that needs 64 bits its type, which dbus-python guesses as one of 32 bits."""
    if isinstance(value, dict):
        return {key: typed(item) for key, item in value.items()}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 1 << 31:
        return dbus.Int64(value)
    return value


def call(ask):
    member = ask["member"]
    arguments = [typed(argument) if isinstance(argument, dict) else argument for argument in ask["arguments"]]
    connection.call_async(
        ask["destination"], ask["path"], ask["interface"], member, ask["signature"], arguments,
        lambda *values: say(member=member, reply=plain(values)),
        lambda error: say(member=member, error=error.get_dbus_name(), message=error.get_dbus_message()),
    )  # fmt: skip


unfinished = b""
loop = GLib.MainLoop()
connection = dbus.bus.BusConnection(sys.argv[1], mainloop=DBusGMainLoop())
connection.add_message_filter(receive)
for rule in sys.argv[2:]:
    connection.add_match_string(rule)
say(name=connection.get_unique_name())
GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, obey)
loop.run()
