"""An app with GApplication that its session bus starts and wakes: usage: waking_gio_app.py APP_ID FILE

Writes a line to FILE for each event: the output of g_variant_print.
"""

import sys

from gi.repository import Gio, GLib


def tell(_action, details):
    with open(sys.argv[2], "a", encoding="utf-8") as file:
        file.write(details.print_(False) + "\n")


app = Gio.Application(application_id=sys.argv[1], flags=Gio.ApplicationFlags.IS_SERVICE)
action = Gio.SimpleAction.new("region-event", GLib.VariantType("a{sv}"))
action.connect("activate", tell)
app.add_action(action)
app.hold()
app.run([])
