"""The editor of venue files, on a venue that these tests create."""
import itertools
import os
import re

from playwright.sync_api import expect

from support import URL, PageTests

numbers = itertools.count(1)


class EditorTests(PageTests):
    expected_messages = ("409", "422")

    def create(self, page):
        """Stores a new venue, and returns its id."""
        # A beacon belongs to one venue.
        major = next(numbers)
        venue = f"browser-{os.getpid()}-{major}"
        page.locator(".view-editor").get_by_label("Venue", exact=True).select_option(label="New venue …")
        area = page.get_by_label("Text of the venue file")
        expect(area).to_have_value(re.compile("new-venue"))
        text = area.input_value().replace("new-venue", venue)
        beacon = f'\n# The first beacon.\n[[beacon]]\nmajor = {major}\nminor = 1\nposition = [4, 4]\nheight = 2.5\n'
        area.fill(text.replace('name = "New venue"', f'name = "{venue}"\nuuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"') + beacon)
        expect(page.locator(".source")).to_contain_text(re.compile("The text (has no problems|is valid)"))
        self.save(page)
        return venue

    def save(self, page):
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator(".editor-note")).to_contain_text("Saved")

    def select_beacon(self, page, venue):
        page.get_by_role("button", name=f"{venue.rsplit('-', 1)[1]}/1", exact=True).click()

    def begin(self, context=None):
        page = self.open("editor", context=context)
        venue = self.create(page)
        page.goto("about:blank")
        page.goto(f"{URL}/#/editor/{venue}")
        self.select_beacon(page, venue)
        return page, venue

    def field(self, page, name):
        return page.locator(f".item-form [data-name='{name}']")

    def test_arrow_keys_move_the_selection_and_undo_returns_it(self):
        page, _ = self.begin()
        page.locator(".map").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift+ArrowUp")
        expect(self.field(page, "x")).to_have_value("4.1")
        expect(self.field(page, "y")).to_have_value("5")
        page.wait_for_timeout(600)
        page.keyboard.press("Control+z")
        expect(self.field(page, "x")).to_have_value("4")
        expect(page.get_by_role("button", name="Undo")).to_be_disabled()
        page.keyboard.press("Control+Shift+z")
        expect(self.field(page, "y")).to_have_value("5")

    def test_a_drag_changes_the_text_and_keeps_its_comments(self):
        page, _ = self.begin()
        box = page.locator(".handle").bounding_box()
        page.mouse.move(box["x"] + 11, box["y"] + 11)
        page.mouse.down()
        page.mouse.move(box["x"] + 61, box["y"] + 11, steps=5)
        page.mouse.up()
        expect(self.field(page, "x")).not_to_have_value("4")
        x = self.field(page, "x").input_value()
        page.get_by_role("button", name="Text", exact=True).click()
        expect(page.get_by_label("Text of the venue file")).to_have_value(re.compile(re.escape(f"position = [{x}, ")))
        self.assertIn("# The first beacon.", page.get_by_label("Text of the venue file").input_value())

    def test_items_are_added_by_keyboard_and_by_mouse_and_removed(self):
        page, _ = self.begin()
        page.locator("[data-add='wall']").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".map")).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(400)
        page.keyboard.press("Enter")
        expect(page.locator(".item-form h2")).to_contain_text("Wall")
        box = page.locator(".map").bounding_box()
        page.locator("[data-add='voids']").click()
        for x, y in ((200, 150), (260, 150), (260, 210)):
            page.mouse.click(box["x"] + x, box["y"] + y)
        page.get_by_role("button", name="Finish (F)").click()
        expect(page.locator(".item-form h2")).to_have_text("Void 1")
        page.get_by_role("button", name="Remove", exact=True).click()
        expect(page.locator(".item-list")).not_to_contain_text("Voids (1)")
        page.locator("[data-add='place']").click()
        page.mouse.click(box["x"] + 240, box["y"] + 180)
        expect(self.field(page, "id")).to_have_value("place-1")
        self.save(page)

    def test_a_number_that_is_no_number_changes_nothing(self):
        page, _ = self.begin()
        self.field(page, "minor").fill("70000")
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name="Undo")).to_be_disabled()

    def test_problems_of_the_text_lead_to_their_line(self):
        page, _ = self.begin()
        page.get_by_role("button", name="Text", exact=True).click()
        area = page.get_by_label("Text of the venue file")
        area.fill(area.input_value() + "\n[[beacon\n")
        problem = page.locator(".problems button").first
        expect(problem).to_be_visible()
        problem.click()
        expect(area).to_be_focused()
        self.assertGreater(area.evaluate("area => area.selectionStart"), 100)

    def test_a_venue_that_was_changed_meanwhile_is_shown_with_its_difference(self):
        context = self.context()
        page, venue = self.begin(context)
        other = self.watch(context.new_page())
        other.goto(f"{URL}/#/editor/{venue}")
        self.select_beacon(other, venue)
        self.field(other, "height").fill("3")
        other.keyboard.press("Tab")
        self.save(other)
        self.field(page, "x").fill("7.5")
        page.keyboard.press("Tab")
        page.get_by_role("button", name="Save", exact=True).click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("-height = 2.5")
        expect(dialog).to_contain_text("+height = 3")
        page.get_by_role("button", name="Save mine").click()
        expect(page.locator(".editor-note")).to_contain_text("Saved")
        page.get_by_role("button", name="Versions").click()
        expect(page.get_by_role("dialog").get_by_role("button", name="Bring it back")).to_have_count(3)
        page.get_by_role("button", name="Bring it back").nth(1).click()
        expect(self.field(page, "height")).to_have_value("3")
        expect(page.get_by_role("button", name="Save", exact=True)).to_be_enabled()

    def test_unsaved_changes_survive_the_end_of_the_session(self):
        page, venue = self.begin()
        self.field(page, "height").fill("2.9")
        page.keyboard.press("Tab")
        page.wait_for_timeout(300)
        self.accepts_dialogs = True
        page.reload()
        expect(page.get_by_text("unsaved changes of your last session")).to_be_visible()
        self.select_beacon(page, venue)
        expect(self.field(page, "height")).to_have_value("2.9")

    def test_a_file_of_the_configuration_is_read_only(self):
        page = self.open("editor")
        options = page.locator(".view-editor").get_by_label("Venue", exact=True)
        expect(options).to_be_visible()
        locked = options.locator("option", has_text="(read only)")
        if locked.count() == 0:
            self.skipTest("no venue of the configuration is known")
        options.select_option(locked.first.get_attribute("value"))
        expect(page.get_by_text("belongs to the configuration")).to_be_visible()
        expect(page.locator("[data-add='beacon']")).to_be_hidden()
