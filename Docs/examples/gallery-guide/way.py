"""The page "Way": the plan with its visitor, a list of the exhibits, and the way to one."""

from gi.repository import Adw, Gtk, Pango

from plan import Arrow, Plan, on_plan


class Way(Gtk.Box):
    """Shows the plan and leads to an exhibit.

    chosen(place) and stopped() report what the visitor wants; announce(text) reads a text to a visitor with a screen reader.
    """

    def __init__(self, chosen, stopped, announce, words):
        super().__init__(orientation=Gtk.Orientation.VERTICAL)
        self.chosen, self.stopped, self.announce, self.words = chosen, stopped, announce, words
        self.plans, self.places, self.location, self.goal = {}, {}, None, None
        self.level = None

        self.plan = Plan(words)
        self.search = Gtk.SearchEntry(placeholder_text=words["search"], hexpand=True)
        self.search.update_property([Gtk.AccessibleProperty.LABEL], [words["search"]])
        self.search.connect("changed", lambda _: self.list.invalidate_filter())
        self.search.connect("activate", lambda _: self._choose_first())
        self.list = Gtk.ListBox(selection_mode=Gtk.SelectionMode.NONE, css_classes=["boxed-list"])
        self.list.update_property([Gtk.AccessibleProperty.LABEL], [words["exhibits"]])
        self.list.set_filter_func(self._matches)
        self.list.set_placeholder(Gtk.Label(label=words["none"], wrap=True, margin_top=18, margin_bottom=18))
        self.list.connect("row-activated", lambda _, row: self.lead(row.place))
        self.choice = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12)
        self.choice.append(self.search)
        self.choice.append(self.list)

        self.arrow = Arrow(words)
        self.distance, self.next = self._label("distance"), self._label("next-step")
        self.instruction = self._label("instruction", accessible_role=Gtk.AccessibleRole.STATUS)
        self.stop = Gtk.Button(label=words["end"], css_classes=["pill"], halign=Gtk.Align.CENTER)
        self.stop.connect("clicked", lambda _: self.end())
        self.guidance = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, visible=False)
        # Beside a large text, the arrow would take the width of a word.
        for child in (self.arrow, self.distance, self.instruction, self.next):
            self.guidance.append(child)

        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=18, margin_start=18, margin_end=18, margin_top=6, margin_bottom=18)
        for child in (self.guidance, self.plan, self.choice, self.stop):
            page.append(child)
        self.stop.set_visible(False)
        clamp = Adw.Clamp(child=page, maximum_size=720)
        self.append(Gtk.ScrolledWindow(child=clamp, hscrollbar_policy=Gtk.PolicyType.NEVER, vexpand=True))

    @staticmethod
    def _label(style, **properties):
        label = Gtk.Label(xalign=0, wrap=True, wrap_mode=Pango.WrapMode.WORD_CHAR, hexpand=True, css_classes=[style], **properties)
        label.set_natural_wrap_mode(Gtk.NaturalWrapMode.NONE)
        return label

    # The venue

    def show_places(self, places):
        self.places |= {place["id"]: place for place in places if "x" in place}
        while row := self.list.get_row_at_index(0):
            self.list.remove(row)
        for place in sorted(self.places.values(), key=lambda place: place["title"].casefold()):
            row = Adw.ActionRow(title=place["title"].replace("&", "&amp;").replace("<", "&lt;"), activatable=True)
            if len(self.plans) > 1:
                row.set_subtitle(self.plans.get((place["venue"], place["level"]), {}).get("name", place["level"]))
            row.place = place
            self.list.append(row)
        self._show_level()

    def keep_places(self, places):
        """Drops the places that the venue no longer has."""
        self.places = {key: place for key, place in self.places.items() if key in places}
        self.show_places([])

    def show_plan(self, plan):
        self.plans[plan["venue"], plan["level"]] = plan
        self._show_level()

    def _show_level(self):
        if self.level not in self.plans:
            self.level = next(iter(self.plans), None)
        if plan := self.plans.get(self.level):
            self.plan.show_level(plan, [place for place in self.places.values() if (place["venue"], place["level"]) == self.level])

    def _go_to_level(self, venue, level):
        if (venue, level) in self.plans and (venue, level) != self.level:
            self.level = (venue, level)
            self._show_level()

    def _matches(self, row):
        return all(word in row.place["title"].casefold() for word in self.search.get_text().casefold().split())

    def _choose_first(self):
        rows = [row for row in self._rows() if self._matches(row)]
        if rows:
            self.lead(rows[0].place)

    def _rows(self):
        number = 0
        while row := self.list.get_row_at_index(number):
            yield row
            number += 1

    # The visitor

    def show_location(self, location):
        self.location = location
        if self.goal:
            return  # The position of the guidance is on its route.
        if location:
            self._go_to_level(location.get("venue"), location.get("level"))
        plan = self.plans.get(self.level)
        self.plan.show_visitor(on_plan(location, plan) if plan else None, (location or {}).get("horizontalAccuracy", 0))

    # The guidance

    def lead(self, place):
        self.goal = place
        self._show_guidance(self._heading(place), self.words["looking"], "")
        self.choice.set_visible(False)
        self.stop.set_visible(True)
        self.guidance.set_visible(True)
        self.stop.grab_focus()
        self.chosen(place)

    def _heading(self, place):
        return self.words["to"].format(title=place["title"])

    def end(self):
        """Ends the guidance for the visitor."""
        if self.goal:
            self._close()
            self.stopped()

    def show_guidance(self, guidance):
        self.arrow.show_turn(guidance.get("turn"), guidance.get("side"))
        words = [guidance[key] for key in ("distanceText", "timeText") if key in guidance]
        self.distance.set_text(", ".join([self._heading(self.goal), *words]))
        self.next.set_text(guidance.get("nextText") or guidance.get("note", ""))
        position = guidance.get("position")
        if position and "x" in position:
            self._go_to_level(self.goal["venue"], position.get("level"))
            self.plan.show_visitor((position["x"], position["y"]), guidance.get("accuracy", 0))
        elif guidance["state"] in ("lost", "searching"):
            self.plan.show_visitor(None)

    def show_route(self, route):
        self.plan.show_route(route["points"], self.goal["title"])

    def show_instruction(self, text):
        self.instruction.set_text(text)
        self.announce(text)

    def show_loss(self, message):
        """Shows why the guidance has stopped, without its last direction and position."""
        if self.goal:
            self.show_guidance({"state": "lost"})
        self.show_instruction(message)

    def show_end(self, message):
        self._close()
        self.show_instruction(message)
        self.guidance.set_visible(True)

    def _show_guidance(self, distance, instruction, following):
        self.arrow.show_turn(None, None)
        self.distance.set_text(distance)
        self.instruction.set_text(instruction)
        self.next.set_text(following)

    def _close(self):
        self.goal = None
        self._show_guidance("", "", "")
        self.plan.show_route([], None)
        self.guidance.set_visible(False)
        self.stop.set_visible(False)
        self.choice.set_visible(True)
        self.search.set_text("")
        self.search.grab_focus()
        self.show_location(self.location)
