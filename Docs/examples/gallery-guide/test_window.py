"""python3 -m unittest, on a screen such as that of xvfb-run"""

import unittest

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("Adw", "1")
from gi.repository import Adw, GLib, Gtk

from plan import on_plan
from window import Window
from words import GERMAN

CORNERS = [{"x": 0, "y": 0}, {"x": 20, "y": 0}, {"x": 20, "y": 10}, {"x": 0, "y": 10}]
PLAN = {"venue": "hall", "level": "ground", "floor": 0, "name": "Ground floor", "walkable": [{"points": CORNERS}],
        "latitude": 48.0, "longitude": 11.0, "bearing": 90.0}
PLACES = [{"id": name.lower(), "venue": "hall", "level": "ground", "title": name, "x": x, "y": 5.0} for name, x in (("Clock", 15.0), ("Bell", 3.0))]


@unittest.skipUnless(Gtk.init_check(), "there is no screen")
class WindowTests(unittest.TestCase):
    def setUp(self):
        Adw.init()
        self.chosen, self.stops, self.printed = [], 0, []
        self.window = Window({}, self.printed.append, self.chosen.append, self.stopped)
        self.way = self.window.way
        self.way.show_places(PLACES)
        self.window.show_plan(PLAN)
        self.window.present()
        self.settle()

    def tearDown(self):
        self.window.destroy()
        self.settle()

    def stopped(self):
        self.stops += 1

    @staticmethod
    def settle():
        context = GLib.MainContext.default()
        for _ in range(50):
            while context.iteration(False):
                pass
            GLib.usleep(2000)

    def focused(self):
        """Returns the widgets that the tab key reaches, in this order."""
        widgets = []
        self.window.set_focus(None)
        while self.window.child_focus(Gtk.DirectionType.TAB_FORWARD) and (widget := self.window.get_focus()) not in widgets:
            widgets.append(widget)
        return widgets

    def reaches(self, widget):
        return any(found == widget or found.is_ancestor(widget) for found in self.focused())

    def test_the_keyboard_reaches_every_action(self):
        self.window.pages.set_visible_child_name("way")
        self.settle()
        self.assertTrue(self.reaches(self.way.search) and self.reaches(self.way.list) and self.reaches(self.window.switcher))
        self.way.lead(PLACES[0])
        self.settle()
        self.assertTrue(self.reaches(self.way.stop))
        self.assertFalse(self.reaches(self.way.search))

    def test_actions_choose_an_exhibit_and_end_the_guidance(self):
        self.window.activate_action("win.search", None)
        self.settle()
        self.assertEqual(self.window.pages.get_visible_child_name(), "way")
        self.assertTrue(self.window.get_focus().is_ancestor(self.way.search))
        self.way.search.set_text("clo")
        self.way.search.emit("activate")
        self.assertEqual([place["id"] for place in self.chosen], ["clock"])
        self.window.activate_action("win.end-guidance", None)
        self.assertEqual((self.stops, self.way.goal), (1, None))
        self.settle()
        row = self.way.list.get_row_at_index(0)
        row.emit("activate")
        self.assertEqual(self.chosen[-1]["title"], "Bell")

    def test_a_screen_reader_gets_the_instruction_the_direction_and_the_plan_as_text(self):
        self.way.lead(PLACES[0])
        self.way.show_route({"points": [{"x": 3, "y": 5, "level": "ground"}, {"x": 15, "y": 5, "level": "ground"}]})
        self.way.show_guidance({
            "state": "underWay", "turn": 40.0, "side": "right", "distanceText": "12 metres", "nextText": "In 25 feet, turn left.",
            "position": {"x": 3.5, "y": 5.0, "level": "ground"}})
        self.way.show_instruction("Move forward 12 metres.")
        if not hasattr(self.window, "announce"):
            self.assertEqual(self.window.get_title(), "Move forward 12 metres.")
        self.assertEqual(self.printed[-1], "Way | To Clock, 12 metres | Move forward 12 metres.")
        self.assertEqual(self.way.next.get_text(), "In 25 feet, turn left.")
        self.assertTrue(self.way.arrow.get_visible())
        self.assertEqual(self.way.plan.description(), "Plan of Ground floor. You are at Bell. The route to Clock is drawn")
        # Without a direction that can be trusted there is no arrow.
        self.way.show_guidance({"state": "lost"})
        self.assertFalse(self.way.arrow.get_visible())
        self.assertEqual(self.way.plan.description(), "Plan of Ground floor. Your position is unknown. The route to Clock is drawn")
        self.way.show_guidance({"state": "underWay", "turn": 40.0, "side": "right", "distanceText": "12 metres"})
        self.way.show_loss("Denied for this user.")
        self.assertFalse(self.way.arrow.get_visible())
        self.assertEqual(self.printed[-1], "Way | To Clock | Denied for this user.")
        self.way.show_end("Sie sind angekommen: Uhr.")
        self.assertEqual(self.way.instruction.get_text(), "Sie sind angekommen: Uhr.")
        self.assertTrue(self.way.choice.get_visible())

    def test_a_place_that_the_venue_has_lost_leaves_the_list(self):
        self.way.keep_places({"bell"})
        self.assertEqual([row.place["id"] for row in self.way._rows()], ["bell"])

    def test_text_follows_the_scale_of_the_desktop_and_fits_a_narrow_window(self):
        self.window.exhibits[4] = {"title": "Leuchtturmlinse", "made": "Direction-finding", "text": "Detektorempfängerspule"}
        self.window.show_exhibit(4)
        self.way.lead(PLACES[0] | {"title": "Lighthouse lens"})
        self.way.show_guidance({
            "state": "underWay", "turn": 40.0, "side": "right", "distanceText": "12 metres", "timeText": "less than a minute",
            "nextText": "In 7 metres, you reach Marine chronometer."})
        self.way.show_instruction("In 7 metres, you reach Leuchtturmlinsenkammer.")
        settings = Gtk.Settings.get_default()
        before = settings.get_property("gtk-xft-dpi")
        usual = self.way.instruction.measure(Gtk.Orientation.VERTICAL, 10_000)[0]
        try:
            settings.set_property("gtk-xft-dpi", 2 * 96 * 1024)
            self.settle()
            large = self.way.instruction.measure(Gtk.Orientation.VERTICAL, 10_000)[0]
            self.assertGreater(large, 1.8 * usual)
            self.assertTrue(self.way.arrow.get_visible())
            for page in ("exhibit", "way"):
                self.window.pages.set_visible_child_name(page)
                self.settle()
                self.assertLessEqual(self.window.measure(Gtk.Orientation.HORIZONTAL, -1)[0], 460, page)
            # A whole word fits beside the margins, so that only longer ones are divided.
            layout = self.way.distance.create_pango_layout("Lighthouse")
            self.assertLessEqual(layout.get_pixel_size()[0], self.way.distance.get_width())
        finally:
            settings.set_property("gtk-xft-dpi", before)

    def test_all_words_are_in_the_language_of_the_visitor(self):
        window = Window({}, self.printed.append, words=GERMAN)
        window.show_plan(PLAN | {"name": "Erdgeschoss"})
        window.way.show_places(PLACES)
        window.way.lead(PLACES[1])
        window.way.show_route({"points": [{"x": 3, "y": 5, "level": "ground"}, {"x": 15, "y": 5, "level": "ground"}]})
        window.way.show_guidance({"state": "underWay", "distanceText": "12 Meter", "nextText": "In 7 Metern: biegen Sie links ab."})
        window.way.show_instruction("Folgen Sie dem Weg geradeaus.")
        window.show_nothing_near()
        self.assertEqual(self.printed, [
            "Weg | Ziel: Bell, 12 Meter | Folgen Sie dem Weg geradeaus.", f"{GERMAN['walk up'][0]} | {GERMAN['walk up'][1]}"])
        self.assertEqual(window.way.plan.description(), "Plan: Erdgeschoss. Ihre Position ist unbekannt. Der Weg ist eingezeichnet, Ziel: Bell")
        pages = window.pages.get_pages()
        self.assertEqual([pages.get_item(number).get_title() for number in range(2)], ["_Exponat", "_Weg"])
        self.assertEqual(window.way.stop.get_label(), "Führung beenden")
        window.destroy()

    def test_a_location_is_a_point_of_the_plan(self):
        # The y axis points east.
        x, y = on_plan({"latitude": 48.0001, "longitude": 11.0, "floor": 0}, PLAN)
        self.assertAlmostEqual(x, -11.12, 2)
        self.assertAlmostEqual(y, 0, 6)
        self.assertIsNone(on_plan({"latitude": 48, "longitude": 11, "floor": 1}, PLAN))
        self.assertIsNone(on_plan(None, PLAN))


if __name__ == "__main__":
    unittest.main()
