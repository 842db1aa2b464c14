#!/usr/bin/python3
"""A compass with a detector of magnetic fields. GTK 4 and GLib's own D-Bus, from Debian's python3-gi and gir1.2-gtk-4.0."""

import sys
from collections import deque

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, Gio, GLib, Graphene, Gtk  # noqa: E402

NAME, ROOT = "org.beaconmon.Monitor1", "/org/beaconmon/Monitor1"
POINTS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]


class Compass:
    """The values that the service has reported; every one may be unknown."""

    def __init__(self):
        self.heading, self.calibration, self.failure = {}, {}, "Waiting for the service"
        self.field = deque(maxlen=300)

    def update(self, heading):
        self.heading = heading
        if self.degrees is not None:
            self.failure = None
        if "magnitude" in heading:
            self.field.append(heading["magnitude"])

    @property
    def degrees(self):
        # A course says where the device travels, not where it points.
        if self.heading.get("kind") == "course":
            return None
        return self.heading.get("trueHeading", self.heading.get("magneticHeading"))

    @property
    def accuracy(self):
        return self.heading.get("trueAccuracy" if "trueHeading" in self.heading else "accuracy")

    @property
    def words(self):
        """Two lines: the direction, and the reason if there is none or what to know about it."""
        if self.degrees is None:
            return "No direction", self.advice or "Waiting for a heading"
        north = "true" if "trueHeading" in self.heading else "magnetic"
        spread = f" ± {self.accuracy:.0f}°" if self.accuracy is not None else ""
        point = POINTS[round(self.degrees / 45) % 8]
        return f"{round(self.degrees) % 360}° {point}", self.advice or f"{north} north{spread}"

    @property
    def advice(self):
        if self.calibration.get("needed"):
            return f"Turn the device in all directions: {self.calibration.get('progress', 0):.0%} measured"
        return self.failure

    @property
    def detector(self):
        """The strength of the field, and how much it differs from the middle of the last ones, which steel and magnets change."""
        if not self.field:
            return "no field", 0
        usual = sorted(self.field)[len(self.field) // 2]
        return f"{self.field[-1]:.1f} µT", self.field[-1] - usual


class Service:
    """The session of this program; a new one begins when the service returns."""

    def __init__(self, bus, compass, changed):
        self.bus, self.compass, self.changed, self.path = bus, compass, changed, None
        bus.signal_subscribe(NAME, f"{NAME}.Session", None, None, None, Gio.DBusSignalFlags.NONE, self.told)
        Gio.bus_watch_name_on_connection(bus, NAME, Gio.BusNameWatcherFlags.AUTO_START, self.appeared, self.vanished)

    def appeared(self, bus, name, owner):
        self.call(ROOT, "Manager", "CreateSession", {"purpose": GLib.Variant("s", "Shows where the device points")}, self.created)

    def vanished(self, bus, name):
        self.path = None
        self.compass.heading, self.compass.calibration = {}, {}
        self.fail("The service is not running")

    def created(self, answer):
        self.path = answer[0]
        self.start()

    def start(self):
        # With a filter of 0 each sample of the field comes, as a detector needs it.
        self.call(self.path, "Session", "StartUpdatingHeading", {"filter": GLib.Variant("d", 0)}, lambda answer: None)

    def call(self, path, interface, method, options, done):
        def answered(bus, result):
            try:
                done(bus.call_finish(result).unpack())
            except GLib.Error as error:
                Gio.DBusError.strip_remote_error(error)
                self.fail(error.message)

        arguments = GLib.Variant("(a{sv})", (options,))
        self.bus.call(NAME, path, f"{NAME}.{interface}", method, arguments, None, 0, 300_000, None, answered)

    def told(self, bus, sender, path, interface, signal, parameters):
        if path != self.path:
            return
        values = parameters.unpack()
        if signal == "HeadingUpdated":
            self.compass.update(values[0])
        elif signal == "CalibrationNeeded":
            self.compass.calibration = values[0]
        elif signal == "HeadingFailed":
            self.compass.heading = {}
            self.compass.failure = values[1]
        elif signal == "CapabilitiesChanged" and "heading" in values[0]:
            # A compass was plugged in.
            self.start()
        elif signal == "AuthorizationChanged":
            if values[0] in ("whenInUse", "always"):
                # The answer to the first call was a refusal.
                self.start()
            else:
                self.compass.heading, self.compass.calibration = {}, {}
                self.compass.failure = values[1] or "This app may not use the location"
        else:
            return
        self.changed()

    def fail(self, message):
        self.compass.failure = message
        self.changed()


class Rose(Gtk.Widget):
    """The rose turns under the needle; the cone at the top is as wide as the accuracy."""

    def __init__(self, compass):
        super().__init__(hexpand=True, vexpand=True, width_request=260, height_request=260)
        self.compass = compass

    def do_snapshot(self, snapshot):
        width, height, style = self.get_width(), self.get_height(), self.get_color()
        radius = min(width, height) / 2 - 24
        snapshot.translate(Graphene.Point().init(width / 2, height / 2))

        def line(degrees, inner, outer, thickness, colour):
            snapshot.save()
            snapshot.rotate(degrees)
            snapshot.append_color(colour, Graphene.Rect().init(-thickness / 2, -outer, thickness, outer - inner))
            snapshot.restore()

        faint = Gdk.RGBA(style.red, style.green, style.blue, 0.3)
        degrees, accuracy = self.compass.degrees, self.compass.accuracy
        if degrees is not None and accuracy is not None:
            cone = Gdk.RGBA(0.2, 0.5, 0.9, 0.25)
            for step in range(-round(min(180, accuracy)), round(min(180, accuracy)) + 1):
                line(step, 0, radius * 0.9, radius * 0.9 * 0.0175, cone)
        for tick in range(0, 360, 15):
            line(tick - (degrees or 0), radius * (0.9 if tick % 45 else 0.85), radius, 2, faint)
        if degrees is None:
            return
        line(0, radius * 0.2, radius * 0.8, 4, Gdk.RGBA(0.85, 0.2, 0.2, 1))
        for index, point in enumerate(POINTS):
            layout = self.create_pango_layout(point)
            (_, box) = layout.get_pixel_extents()
            snapshot.save()
            snapshot.rotate(index * 45 - degrees)
            snapshot.translate(Graphene.Point().init(-box.width / 2, -radius - box.height))
            snapshot.append_layout(layout, style)
            snapshot.restore()


class Window(Gtk.ApplicationWindow):
    def __init__(self, compass, **properties):
        super().__init__(title="Compass", default_width=360, default_height=520, **properties)
        self.compass, self.rose = compass, Rose(compass)
        self.direction, self.reason, self.strength = (Gtk.Label(wrap=True, css_classes=[style]) for style in ("title-1", "body", "heading"))
        self.level = Gtk.LevelBar(min_value=0, max_value=100)
        self.level.update_property([Gtk.AccessibleProperty.LABEL], ["Change of the magnetic field"])
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, margin_top=16, margin_bottom=16, margin_start=16, margin_end=16)
        for widget in (self.rose, self.direction, self.reason, self.strength, self.level):
            box.append(widget)
        self.set_child(box)
        self.update()

    def update(self):
        direction, reason = self.compass.words
        strength, change = self.compass.detector
        self.direction.set_text(direction)
        self.reason.set_text(reason)
        self.strength.set_text(f"Field {strength}, {change:+.1f} µT" if self.compass.field else "Field unknown")
        self.level.set_value(min(100, abs(change)))
        self.rose.queue_draw()


def print_changes(compass):
    """Prints a line when the words change, for a terminal and for tests."""
    last = None

    def show():
        nonlocal last
        line = " | ".join(compass.words)
        if line != last:
            print(line, flush=True)
        last = line

    return show


def main():
    bus, compass = Gio.bus_get_sync(Gio.BusType.SYSTEM), Compass()
    if "--print" in sys.argv:
        service = Service(bus, compass, print_changes(compass))  # noqa: F841, the subscription lives with it
        GLib.MainLoop().run()
        return
    application = Gtk.Application(application_id="org.beaconmon.Compass")

    def activate(application):
        window = Window(compass, application=application)
        application.service = Service(bus, compass, window.update)
        window.present()

    application.connect("activate", activate)
    application.run()


if __name__ == "__main__":
    main()
