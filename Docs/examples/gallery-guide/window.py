"""The window: one exhibit and its text, or one sentence that says why there is none; beside it, the way to another exhibit."""

import re

from gi.repository import Adw, Gdk, Gio, GLib, Gtk, Pango

from way import Way
from words import ENGLISH

# Sizes in points follow the text scale of the desktop.
STYLE = b"""
.number { font-size: 64pt; font-weight: 200; color: @accent_color; }
.exhibit-title { font-size: 27pt; font-weight: 800; }
.made { font-size: 12.5pt; opacity: 0.75; }
.text { font-size: 14.5pt; line-height: 1.5; }
.distance { font-size: 21pt; font-weight: 800; }
.instruction { font-size: 17pt; }
.next-step { font-size: 13.5pt; opacity: 0.75; }
statuspage .description { font-size: 13.5pt; line-height: 1.4; }
"""


class Window(Adw.ApplicationWindow):
    """The window of the guide.

    `chosen(place)` and `stopped()` report the exhibit to which the visitor wants to be led, and `way_shown(shown)` whether the plan is on the
    screen.
    """

    def __init__(self, exhibits, printer=lambda text: None, chosen=lambda place: None, stopped=lambda: None, way_shown=lambda shown: None, words=ENGLISH, **properties):
        super().__init__(title=words["guide"], default_width=460, default_height=780, width_request=300, height_request=360, **properties)
        self.exhibits, self.printer, self.words, self.state = exhibits, printer, words, None
        provider = Gtk.CssProvider()
        provider.load_from_data(STYLE)
        Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), provider, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)

        self.number, self.name, self.made, self.text = (self._label(style) for style in ("number", "exhibit-title", "made", "text"))
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, margin_start=28, margin_end=28, margin_top=6, margin_bottom=36)
        for label, space in ((self.number, 0), (self.name, 2), (self.made, 6), (self.text, 24)):
            label.set_margin_top(space)
            page.append(label)
        clamp = Adw.Clamp(child=page, maximum_size=640)
        self.scroller = Gtk.ScrolledWindow(child=clamp, hscrollbar_policy=Gtk.PolicyType.NEVER, vexpand=True)
        self.notice = Adw.StatusPage(vexpand=True)
        self.stack = Gtk.Stack(transition_type=Gtk.StackTransitionType.CROSSFADE, transition_duration=400)
        self.stack.add_named(self.scroller, "exhibit")
        self.stack.add_named(self.notice, "notice")

        self.way = Way(chosen, stopped, self._announce, words)
        self.pages = Adw.ViewStack(vexpand=True)
        self.pages.add_titled_with_icon(self.stack, "exhibit", words["exhibit"], "view-reveal-symbolic").set_use_underline(True)
        self.pages.add_titled_with_icon(self.way, "way", words["way"], "find-location-symbolic").set_use_underline(True)
        self.pages.connect("notify::visible-child", lambda *_: way_shown(self.pages.get_visible_child_name() == "way"))
        self.switcher = Adw.ViewSwitcherBar(stack=self.pages)

        header = Adw.HeaderBar(title_widget=Adw.WindowTitle(title=words["guide"]))
        header.add_css_class("flat")
        content = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        content.append(header)
        content.append(self.pages)
        content.append(self.switcher)
        self.set_content(content)
        for name, keys, action in (
            ("exhibit", ["<Alt>1"], lambda: self.pages.set_visible_child_name("exhibit")),
            ("way", ["<Alt>2"], self._show_way),
            ("search", ["<Control>f"], self._search),
            ("end-guidance", ["Escape"], self.way.end),
        ):
            self._add_action(name, keys, action)

    def _add_action(self, name, keys, body):
        action = Gio.SimpleAction(name=name)
        action.connect("activate", lambda *_: body())
        self.add_action(action)
        if application := self.get_application():
            application.set_accels_for_action(f"win.{name}", keys)

    def _show_way(self):
        if self.switcher.get_reveal():
            self.pages.set_visible_child_name("way")

    def _search(self):
        self._show_way()
        self.way.search.grab_focus()

    # The way to an exhibit. There is one if the daemon has a venue with its plan.

    def show_plan(self, plan):
        self.way.show_plan(plan)
        self.switcher.set_reveal(True)

    def show_way(self, place):
        self.pages.set_visible_child_name("way")
        self.way.lead(place)

    def _announce(self, text):
        """Reads a text to a visitor with a screen reader.

        Before GTK 4.14 it becomes the title of the window, which is read when it changes.
        """
        if hasattr(self, "announce"):
            self.announce(text, Gtk.AccessibleAnnouncementPriority.MEDIUM)
        else:
            self.set_title(text)
        self._print((self.words["way"].replace("_", ""), self.way.distance.get_text(), text))

    @staticmethod
    def _label(style):
        # A word that is wider than the window is divided.
        label = Gtk.Label(xalign=0, wrap=True, wrap_mode=Pango.WrapMode.WORD_CHAR, css_classes=[style])
        label.set_natural_wrap_mode(Gtk.NaturalWrapMode.NONE)
        return label

    # The contents. A screen reader reads the title of the window when it changes.

    def show_exhibit(self, minor):
        exhibit = self.exhibits[minor]
        if not self._changes(("exhibit", minor), exhibit["title"]):
            return
        self.number.set_text(str(minor))
        self.name.set_text(exhibit["title"])
        self.made.set_text(exhibit["made"])
        self.text.set_text(exhibit["text"].strip())
        self.scroller.get_vadjustment().set_value(0)
        self.stack.set_visible_child_name("exhibit")
        self._print(label.get_text() for label in (self.number, self.name, self.made, self.text))

    def show_nothing_near(self):
        self._notice("find-location-symbolic", *self.words["walk up"])

    def show_asking(self):
        self._notice("preferences-system-privacy-symbolic", *self.words["asking"])

    def show_away(self):
        self._notice("bluetooth-disabled-symbolic", *self.words["away"])

    def show_silent(self):
        self._notice("bluetooth-disabled-symbolic", *self.words["silent"])

    def show_refused(self, reason):
        title, description = self.words["refused"]
        self._notice("action-unavailable-symbolic", title, description.format(reason=f"{reason[:1].upper()}{reason[1:]}"))

    def _notice(self, icon, title, description):
        if not self._changes((title, description), title):
            return
        self.notice.set_icon_name(icon)
        self.notice.set_title(title)
        # Messages of the daemon contain commands between backticks.
        self.notice.set_description(re.sub("`([^`]*)`", r"<tt>\1</tt>", GLib.markup_escape_text(description)))
        self.stack.set_visible_child_name("notice")
        self._print((title, description))

    def _changes(self, state, title):
        changes, self.state = state != self.state, state
        if changes:
            self.set_title(title)
        return changes

    def _print(self, texts):
        self.printer(" | ".join(" ".join(text.split()) for text in texts))
