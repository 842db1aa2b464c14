"""The page without a mouse."""
from playwright.sync_api import expect

from support import PageTests


class KeyboardTests(PageTests):
    def focused(self, page):
        return page.evaluate("document.activeElement.textContent || document.activeElement.getAttribute('aria-label') || document.activeElement.id")

    def tab_to(self, page, name, most=60):
        for _ in range(most):
            page.keyboard.press("Tab")
            if name in self.focused(page):
                return
        self.fail(f"{name} is not reached by Tab")

    def test_the_first_tab_skips_to_the_content(self):
        page = self.open("health")
        page.reload()
        expect(page.locator(".health .summary")).to_be_visible()
        page.keyboard.press("Tab")
        self.assertEqual(self.focused(page), "Skip to the content")
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("document.activeElement.id"), "main")
        expect(page.locator("main.view-health")).to_be_visible()

    def test_views_change_and_take_the_focus(self):
        page = self.open("health")
        self.tab_to(page, "Beacons")
        page.keyboard.press("Enter")
        expect(page.locator("main.view-beacons")).to_be_focused()
        self.assertIn("Beacons", page.title())

    def test_the_plan_moves_by_arrow_keys(self):
        page = self.open("place")
        page.locator(".map").focus()
        before = page.locator(".coordinates").inner_text()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".coordinates")).not_to_have_text(before)

    def test_a_moved_plan_stays_where_it_is_on_another_level(self):
        page = self.open("place")
        coordinates = page.locator(".coordinates")
        levels = page.get_by_role("group", name="Levels").get_by_role("button")
        levels.first.click()
        expect(levels.first).to_have_attribute("aria-pressed", "true")
        middle = coordinates.inner_text()
        page.locator(".map").focus()
        page.keyboard.press("ArrowRight")
        # A move is animated, and the coordinates follow at its end.
        expect(coordinates).not_to_have_text(middle)
        moved = coordinates.inner_text()
        shown = page.locator("h1").inner_text()
        levels.last.click()
        expect(page.locator("h1")).not_to_have_text(shown)
        self.assertEqual(coordinates.inner_text(), moved)
        page.get_by_role("button", name="Show the whole level").click()
        expect(coordinates).not_to_have_text(moved)

    def test_a_beacon_is_chosen_in_the_list(self):
        page = self.open("place")
        row = page.locator(".panel .rows button.row").first
        row.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".chosen h2")).not_to_be_empty()

    def test_escape_closes_the_layers(self):
        page = self.open("place")
        page.locator(".tool-layers summary").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_label("Walls")).to_be_visible()
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        expect(page.get_by_label("Walls")).to_be_hidden()
        expect(page.locator(".tool-layers summary")).to_be_focused()

    def test_the_table_keeps_the_focus_while_values_change(self):
        page = self.open("beacons")
        page.get_by_role("button", name="RSSI").focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(2200)
        self.assertIn("RSSI", self.focused(page))
