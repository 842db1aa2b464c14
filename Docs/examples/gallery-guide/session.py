"""The guide's session at beaconmond: beacons, the venue, the location and guidance. No call blocks: every answer arrives later, in the main loop."""

import os

from gi.repository import Gio, GLib

NAME, ROOT = "org.beaconmon.Monitor1", "/org/beaconmon/Monitor1"
FOREVER = GLib.MAXINT32  # The daemon may ask the user first.
PAGE = 250  # The most places in an answer.
RETRY = 3  # Seconds between two attempts to reach the bus.
SILENCE = 15  # Seconds without a snapshot, of which there is one a second while a beacon is near: the receiver has stopped.


class Session:
    """Ranges the beacons of a UUID as long as it lives, across restarts of the bus and the daemon and changes of consent.

    Reports one of: away() no bus or no daemon; asking() the daemon may be asking for consent; refused(reason, error); heard(time, beacons);
    silent() the daemon runs and has sent no snapshot for a while.

    Before that, and again when the venue changes, it reports the venue of the daemon: named(places), planned(plan) for each level, and
    listed(ids). The places are in the language of the visitor, by the minor of their beacon. The ids are those of all places.

    While `locate` has asked for it, located(location) reports where the device is. While `lead` has a goal: led(guidance), routed(route),
    instructed(text), lost(message, error), and at the end ended(reason, message, error).

    An error is the name of the daemon's error, whose message is in English; None if the message is in the language of the visitor.
    """

    def __init__(self, purpose, app, uuid, major, listener):
        self.options = {"purpose": GLib.Variant("s", purpose), "appId": GLib.Variant("s", app)}
        self.uuid, self.major = uuid.lower(), major
        self.constraint = {"uuid": GLib.Variant("s", uuid), "major": GLib.Variant("u", major)}
        self.listener = listener
        self.bus = self.session = self.cancellable = None
        self.silence = 0
        self.goal = None  # The keys `place` and `venue` of the exhibit to which guidance leads.
        self.is_locating = False
        self.plans = set()

    def start(self):
        """Opens a private connection: the shared one ends the process when the bus stops."""
        try:
            address = Gio.dbus_address_get_for_bus_sync(Gio.BusType.SYSTEM)
        except GLib.Error:
            return self._retry()
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        Gio.DBusConnection.new_for_address(address, flags, None, None, self._connected)

    def _connected(self, source, result):
        try:
            self.bus = Gio.DBusConnection.new_for_address_finish(result)
        except GLib.Error:
            return self._retry()
        self.bus.connect("closed", lambda *_: self._retry())
        self.bus.signal_subscribe(NAME, f"{NAME}.Session", None, None, None, Gio.DBusSignalFlags.NONE, self._signal)
        Gio.bus_watch_name_on_connection(
            self.bus, NAME, Gio.BusNameWatcherFlags.NONE, lambda *_: self._open(), lambda *_: self._gone())

    def _retry(self):
        self._gone()
        self.bus = None
        GLib.timeout_add_seconds(RETRY, lambda: self.start())

    def _gone(self):
        self._forget_session()
        self.listener.away()

    # The session

    def _open(self):
        self._forget_session()
        self.cancellable = Gio.Cancellable()
        self.read_places()
        self._call(ROOT, "Manager", "CreateSession", [("a{sv}", self.options)], self._opened)

    def _opened(self, reply):
        (self.session,) = reply.unpack()
        self._range()

    def _range(self):
        self.listener.asking()
        self._call(self.session, "Session", "StartRanging", [("a{sv}", self.constraint)], lambda reply: self._resume())

    def _resume(self):
        if self.is_locating:
            self._locate(True)
        if self.goal:
            self.lead(self.goal)

    # The location and the way to an exhibit, while something shows them

    def locate(self, is_wanted):
        """Begins to report where the device is, on a plan that is up to date, or ends it."""
        self.is_locating = is_wanted
        if self.session:
            if is_wanted:
                self.read_places()
            self._locate(is_wanted)

    def _locate(self, is_wanted):
        options = [("a{sv}", self._language())] if is_wanted else []
        # A device without a source of locations shows the plan without its visitor.
        self._call(self.session, "Session", f"{'Start' if is_wanted else 'Stop'}UpdatingLocation", options, lambda reply: None, lambda message, error: None)

    def lead(self, place):
        """Leads to a place: the guidance begins again with each session until `stop_leading`."""
        self.goal = place
        if not self.session:
            return
        options = self._language() | {key: GLib.Variant("s", place[key]) for key in ("place", "venue")}
        options["imperial"] = GLib.Variant("b", is_imperial(os.environ))
        self._call(self.session, "Session", "StartGuidance", [("a{sv}", options)], lambda reply: None, self._not_led)

    def _not_led(self, message, error):
        """Tries again soon while the device has no position yet; other reasons end the guidance."""
        if error not in ("NoLocationSource", "LocationUnknown"):
            return self._end("refused", message, error)
        self.listener.lost(message, error)
        goal = self.goal
        GLib.timeout_add_seconds(RETRY, lambda: self.lead(goal) if goal and self.goal is goal else None)

    def stop_leading(self):
        self.goal = None
        if self.session:
            self._call(self.session, "Session", "StopGuidance", [], lambda reply: None, lambda message, error: None)

    def _end(self, reason, message, error=None):
        if reason == "notAuthorized":
            return self.listener.lost(message, "NotAuthorized")  # The guidance begins again with the next consent.
        self.goal = None
        self.listener.ended(reason, message, error)

    # The names of places, which need no consent

    def read_places(self):
        """Reads the places and plans of the venue, which may have changed since the last time."""
        self.plans, self.ids = set(), set()
        self._read_places(0)

    def _read_places(self, offset):
        options = self._language() | {"limit": GLib.Variant("u", PAGE), "offset": GLib.Variant("u", offset)}
        self._call(ROOT, "Venue", "Places", [("a{sv}", options)], lambda reply: self._read(reply.unpack()[0], offset))

    def _read(self, places, offset):
        mine = [place for place in places if (place.get("uuid", "").lower(), place.get("major")) == (self.uuid, self.major)]
        self.ids |= {place["id"] for place in mine}
        if mine:
            self.listener.named({place["minor"]: place for place in mine})
        for venue, level in sorted({(place["venue"], place["level"]) for place in mine} - self.plans):
            self.plans.add((venue, level))
            options = self._language() | {"venue": GLib.Variant("s", venue)}
            self._call(ROOT, "Venue", "Plan", [("s", level), ("a{sv}", options)], lambda reply: self.listener.planned(reply.unpack()[0]))
        for place in mine:
            options = self._language() | {"venue": GLib.Variant("s", place["venue"])}
            self._call(ROOT, "Venue", "Place", [("s", place["id"]), ("a{sv}", options)],
                       lambda reply: self.listener.named({reply.unpack()[0]["minor"]: reply.unpack()[0]}))
        if len(places) == PAGE:
            self._read_places(offset + PAGE)
        else:
            self.listener.listed(self.ids)

    @staticmethod
    def _language():
        return {"locale": GLib.Variant("s", ":".join(GLib.get_language_names()))}

    def _forget_session(self):
        if self.cancellable:
            self.cancellable.cancel()
        self.session = self.cancellable = None
        self.plans = set()
        self._expect_word(False)

    def _call(self, path, interface, member, arguments, answered, failed=None):
        def finish(bus, result):
            try:
                answered(bus.call_finish(result))
            except GLib.Error as error:
                if not error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED):
                    self._failed(error, failed or self.listener.refused)

        parameters = GLib.Variant(f"({''.join(kind for kind, _ in arguments)})", tuple(value for _, value in arguments))
        self.bus.call(NAME, path, f"{NAME}.{interface}", member, parameters, None, Gio.DBusCallFlags.NO_AUTO_START, FOREVER, self.cancellable, finish)

    def _failed(self, error, failed):
        if not Gio.DBusError.is_remote_error(error):
            return  # The end of the connection is reported separately.
        name = Gio.DBusError.get_remote_error(error)
        Gio.DBusError.strip_remote_error(error)
        if name.startswith(f"{NAME}.Error.") or name == "org.freedesktop.DBus.Error.AccessDenied":
            failed(error.message, name.rpartition(".")[2])

    # Messages of the daemon

    def _signal(self, bus, sender, path, interface, signal, parameters):
        if path != self.session:
            return
        if signal == "Ranged":
            constraint, time, beacons = parameters.unpack()
            self._expect_word(bool(beacons))
            self.listener.heard(time, [(beacon["minor"], beacon["proximity"]) for beacon in beacons])
        elif signal == "AuthorizationChanged":
            authorization, reason = parameters.unpack()
            if authorization in ("whenInUse", "always"):
                self._range()
            else:
                self._expect_word(False)
                self.listener.refused(reason, "NotAuthorized")
        elif signal == "Stopped":
            self._open()
        elif signal == "LocationUpdated":
            self.listener.located(parameters.unpack()[0])
        elif signal == "LocationUnknown":
            self.listener.located(None)
        elif not self.goal:
            pass
        elif signal == "GuidanceUpdated":
            self.listener.led(parameters.unpack()[0])
        elif signal == "GuidanceRouteChanged":
            route = parameters.unpack()[0]
            if route.get("reason") == "venueChanged":
                self.read_places()
            self.listener.routed(route)
        elif signal == "GuidanceInstruction":
            self.listener.instructed(parameters.unpack()[0]["text"])
        elif signal == "GuidanceFailed":
            self.listener.lost(parameters.unpack()[1], None)
        elif signal == "GuidanceEnded":
            self._end(*parameters.unpack())

    def _expect_word(self, is_due):
        if self.silence:
            GLib.source_remove(self.silence)
        self.silence = GLib.timeout_add_seconds(SILENCE, self._fell_silent) if is_due else 0

    def _fell_silent(self):
        self.silence = 0
        self.listener.silent()
        return GLib.SOURCE_REMOVE


def is_imperial(environment):
    """Whether lengths are in feet where the user is, by the locale for measurements."""
    name = next((environment[key] for key in ("LC_ALL", "LC_MEASUREMENT", "LANG") if environment.get(key)), "")
    return name.partition(".")[0].partition("_")[2] in ("US", "LR", "MM")
