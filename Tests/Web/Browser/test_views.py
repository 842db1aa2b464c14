"""Tests the contents of each view, in both languages."""
import json
import pathlib
import re
import unittest

from playwright.sync_api import expect

from support import PageTests

WEB = pathlib.Path(__file__).resolve().parents[3] / "Web"


class ViewTests(PageTests):
    def test_the_place_shows_the_plan_its_beacons_and_the_position(self):
        page = self.open("place")
        expect(page.locator(".place h1")).not_to_have_text("Place")
        expect(page.locator(".panel .where")).not_to_be_empty()
        expect(page.get_by_role("link", name=re.compile(r"^All \d+ beacons$"))).to_be_visible()
        page.locator(".map").hover(position={"x": 300, "y": 300})
        expect(page.locator(".coordinates")).to_have_text(re.compile(r"x −?[\d.]+ · y −?[\d.]+ m"))

    def test_a_level_is_chosen_and_stays_in_the_address(self):
        page = self.open("place")
        levels = page.get_by_role("group", name="Levels").get_by_role("button")
        if levels.count() < 2:
            self.skipTest("the venue has one level")
        levels.first.click()
        expect(page.get_by_role("group", name="Levels").get_by_role("button").first).to_have_attribute("aria-pressed", "true")
        self.assertRegex(page.url, r"#/place/.+/.+")

    def test_the_predicted_error_is_drawn_with_its_scale(self):
        page = self.open("place")
        page.locator(".tool-layers summary").click()
        page.get_by_label("Overlay").select_option("error")
        expect(page.locator(".overlay-legend")).to_contain_text("Predicted error")
        expect(page.locator("canvas.affine")).to_be_attached()
        # The floor must not cover it.
        levels = page.evaluate("['ground', 'heat', 'overlay'].map((name) => +getComputedStyle(document.querySelector(`.leaflet-${name}-pane`)).zIndex)")
        self.assertEqual(levels, sorted(levels))
        expect(page.locator(".leaflet-ground-pane canvas")).to_be_attached()

    def test_the_beacons_can_be_filtered_and_sorted(self):
        page = self.open("beacons")
        page.get_by_role("button", name="Name").click()
        expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "ascending")
        page.get_by_role("button", name="Name").click()
        expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "descending")
        page.get_by_label("Filter by name or number").fill("no beacon has this name")
        expect(page.locator("tbody tr")).to_have_count(0)

    def test_each_event_has_a_sentence_a_cause_and_its_details(self):
        page = self.open("events")
        event = page.locator(".event").first
        expect(event.locator(".headline")).not_to_be_empty()
        expect(event.locator(".why").first).not_to_be_empty()
        event.locator("summary").click()
        self.assertIn("sequence", json.loads(event.locator("pre").inner_text()))

    def test_the_health_names_the_versions(self):
        page = self.open("health")
        expect(page.get_by_text("beaconmon-web", exact=True)).to_be_visible()
        expect(page.get_by_text("beaconmond", exact=True)).to_be_visible()

    def test_the_language_changes_in_place_and_is_kept(self):
        page = self.open("health")
        page.get_by_role("button", name="Deutsch").click()
        expect(page.get_by_role("heading", name="Zustand", level=1)).to_be_visible()
        self.assertEqual(page.locator("html").get_attribute("lang"), "de")
        page.reload()
        expect(page.get_by_role("heading", name="Zustand", level=1)).to_be_visible()

    def test_a_german_browser_gets_german(self):
        page = self.open("events", locale="de-AT")
        expect(page.get_by_role("heading", name="Ereignisse", level=1)).to_be_visible()


class TextTests(unittest.TestCase):
    """Each text exists in both languages."""

    def setUp(self):
        self.texts = {language: json.loads((WEB / "strings" / f"{language}.json").read_text()) for language in ("en", "de")}

    def test_both_languages_have_the_same_texts_and_values(self):
        english, german = self.texts["en"], self.texts["de"]
        self.assertEqual(set(english), set(german))
        for key, text in english.items():
            with self.subTest(key):
                self.assertEqual(sorted(set(re.findall(r"\{\w+\}", text))), sorted(set(re.findall(r"\{\w+\}", german[key]))))

    def test_every_text_that_a_module_names_exists(self):
        names = {name for path in WEB.rglob("*.js") for name in re.findall(r"""\bt\("([\w.-]+)\"""", path.read_text())}
        self.assertGreater(len(names), 100)
        missing = [name for name in names if name not in self.texts["en"] and f"{name}.other" not in self.texts["en"]]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
