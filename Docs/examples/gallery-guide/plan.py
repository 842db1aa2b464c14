"""Draws a level: its walkable areas, walls, exhibits, the visitor and the route. Colours are those of the desktop's style."""

import math

from gi.repository import Gdk, Gtk

METRES_PER_DEGREE = 111_195  # On a sphere; a plan is some hundred metres wide.
MARGIN = 14


def on_plan(location, plan):
    """Returns the x and y of a location on a plan; None outside of its level."""
    if not location or "latitude" not in plan or location.get("floor", plan["floor"]) != plan["floor"]:
        return None
    north = (location["latitude"] - plan["latitude"]) * METRES_PER_DEGREE
    east = (location["longitude"] - plan["longitude"]) * METRES_PER_DEGREE * math.cos(math.radians(plan["latitude"]))
    bearing = math.radians(plan["bearing"])
    return east * math.cos(bearing) - north * math.sin(bearing), east * math.sin(bearing) + north * math.cos(bearing)


class Plan(Gtk.DrawingArea):
    """A picture of one level. `describe` returns the text that a screen reader reads in its place."""

    def __init__(self, words):
        super().__init__(accessible_role=Gtk.AccessibleRole.IMG, content_height=240, vexpand=True, hexpand=True)
        self.words = words
        self.plan, self.places, self.visitor, self.accuracy, self.route, self.goal = None, [], None, 0, [], None
        self.set_draw_func(self._draw)
        self._describe()

    def show_level(self, plan, places):
        self.plan, self.places = plan, places
        self._change()

    def show_visitor(self, position, accuracy=0):
        self.visitor, self.accuracy = position, accuracy
        self._change()

    def show_route(self, points, goal):
        self.route, self.goal = points, goal
        self._change()

    def _change(self):
        self._describe()
        self.queue_draw()

    def description(self):
        if not self.plan:
            return self.words["no plan"]
        near = self._nearest()
        parts = [self.words["plan"].format(level=self.plan.get("name", self.plan["level"]))]
        parts.append(self.words["near" if near else "marked" if self.visitor else "unknown"].format(title=near))
        if self.goal and self.route:
            parts.append(self.words["route"].format(title=self.goal))
        return ". ".join(parts)

    def _nearest(self):
        if not self.visitor:
            return None
        x, y = self.visitor
        distance, title = min(((math.hypot(place["x"] - x, place["y"] - y), place["title"]) for place in self.places), default=(9, None))
        return title if distance < 3 else None

    def _describe(self):
        self.update_property([Gtk.AccessibleProperty.LABEL], [self.description()])

    # Drawing

    def _draw(self, area, cairo, width, height):
        if not self.plan:
            return
        corners = [point for polygon in self.plan["walkable"] for point in polygon["points"]] or self.places
        if not corners:
            return
        (left, right), (bottom, top) = ((min(p[key] for p in corners), max(p[key] for p in corners)) for key in ("x", "y"))
        scale = min((width - 2 * MARGIN) / max(right - left, 1), (height - 2 * MARGIN) / max(top - bottom, 1))
        if scale <= 0:
            return

        def at(x, y):
            return width / 2 + (x - (left + right) / 2) * scale, height / 2 - (y - (bottom + top) / 2) * scale

        def trace(points):
            for number, point in enumerate(points):
                (cairo.line_to if number else cairo.move_to)(*at(point["x"], point["y"]))

        style = self.get_style_context()
        ink = style.get_color()
        found, accent = style.lookup_color("accent_color")
        accent = accent if found else ink

        def colour(rgba, alpha=1):
            cairo.set_source_rgba(rgba.red, rgba.green, rgba.blue, rgba.alpha * alpha)

        colour(ink, 0.08)
        for polygon in self.plan["walkable"]:
            trace(polygon["points"])
            cairo.close_path()
        cairo.fill_preserve()
        colour(ink, 0.6)
        cairo.set_line_width(1.5)
        cairo.stroke()
        colour(ink, 0.22)
        for polygon in self.plan.get("voids", []):
            trace(polygon["points"])
            cairo.close_path()
        cairo.fill()
        colour(ink, 0.8)
        cairo.set_line_width(2.5)
        for wall in self.plan.get("walls", []):
            trace(wall["points"])
            cairo.stroke()
        colour(ink, 0.75)
        for place in self.places:
            cairo.arc(*at(place["x"], place["y"]), 3.5, 0, 2 * math.pi)
            cairo.fill()
        line = [point for point in self.route if point.get("level") == self.plan["level"]]
        if len(line) > 1:
            colour(accent)
            cairo.set_line_width(5)
            cairo.set_line_join(1)
            trace(line)
            cairo.stroke()
            # The end of the route is a ring, so that the colour does not say it alone.
            cairo.arc(*at(line[-1]["x"], line[-1]["y"]), 8, 0, 2 * math.pi)
            cairo.stroke()
        if self.visitor:
            centre = at(*self.visitor)
            colour(accent, 0.2)
            cairo.arc(*centre, max(9, self.accuracy * scale), 0, 2 * math.pi)
            cairo.fill()
            colour(ink)
            cairo.arc(*centre, 8, 0, 2 * math.pi)
            cairo.fill()
            colour(accent)
            cairo.arc(*centre, 5.5, 0, 2 * math.pi)
            cairo.fill()


class Arrow(Gtk.DrawingArea):
    """An arrow that points to the way. It is hidden while the direction cannot be trusted."""

    def __init__(self, words):
        super().__init__(accessible_role=Gtk.AccessibleRole.IMG, content_width=72, content_height=72, visible=False, halign=Gtk.Align.START)
        self.words = words
        self.turn = 0
        self.set_draw_func(self._draw)

    def show_turn(self, turn, side):
        self.set_visible(turn is not None)
        if turn is not None:
            self.turn = turn
            self.update_property([Gtk.AccessibleProperty.LABEL], [self.words.get(side, "")])
            self.queue_draw()

    def _draw(self, area, cairo, width, height):
        style = self.get_style_context()
        found, rgba = style.lookup_color("accent_color")
        Gdk.cairo_set_source_rgba(cairo, rgba if found else style.get_color())
        cairo.translate(width / 2, height / 2)
        cairo.rotate(math.radians(self.turn))
        size = min(width, height) / 2
        for number, (x, y) in enumerate([(0, -0.9), (0.6, 0.1), (0.22, 0.1), (0.22, 0.9), (-0.22, 0.9), (-0.22, 0.1), (-0.6, 0.1)]):
            (cairo.line_to if number else cairo.move_to)(x * size, y * size)
        cairo.close_path()
        cairo.fill()
