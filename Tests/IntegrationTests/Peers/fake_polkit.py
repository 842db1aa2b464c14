"""A polkit for tests: usage: fake_polkit.py ADDRESS

Prints a line for each dialog: the action, the client's unique name, app and purpose. Answers it with the next line of standard input: yes, no,
dismissed or unable.
"""

import sys

import dbus.bus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib


class Authority(dbus.service.Object):
    waiting = []
    answers = []

    @dbus.service.method(
        "org.freedesktop.PolicyKit1.Authority", in_signature="(sa{sv})sa{ss}us", out_signature="(bba{ss})",
        async_callbacks=("reply", "fail"),
    )  # fmt: skip
    def CheckAuthorization(self, subject, action, details, flags, cancellation, reply, fail):
        self.waiting.append(reply)
        print(action, subject[1]["name"], details.get("app", "-"), details.get("purpose", "-"), flags, flush=True)
        self.answer()

    def answer(self):
        while self.waiting and self.answers:
            word = self.answers.pop(0)
            details = {"polkit.dismissed": "true"} if word == "dismissed" else {}
            self.waiting.pop(0)((word == "yes", word == "unable", dbus.Dictionary(details, signature="ss")))


def answer(stream, _):
    line = stream.readline()
    if not line:
        loop.quit()
        return False
    authority.answers.append(line.strip())
    authority.answer()
    return True


DBusGMainLoop(set_as_default=True)
connection = dbus.bus.BusConnection(sys.argv[1])
authority = Authority(connection, "/org/freedesktop/PolicyKit1/Authority")
connection.request_name("org.freedesktop.PolicyKit1")
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, answer)
print("ready", flush=True)
loop.run()
