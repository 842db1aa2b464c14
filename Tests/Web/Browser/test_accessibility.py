"""Each view with axe, in light, in dark, and on a phone."""
import re

from axe_playwright_python.sync_playwright import Axe

from support import DESKTOP, PHONE, URL, VIEWS, PageTests


class AccessibilityTests(PageTests):
    expected_messages = ("401",)

    def check(self, **options):
        page = self.open(is_new_login=True, **options)
        for view in VIEWS:
            self.show(page, view)
            if view == "place":
                page.locator(".tool-layers summary").click()
                page.locator(".legend summary").click()
            if view == "editor":
                page.locator(".item-list .rows button").first.click()
            self.examine(page, view)
        page.get_by_role("button", name=re.compile("Log out|Abmelden")).click()
        page.wait_for_url(f"{URL}/login")
        page.locator("input").wait_for()
        self.examine(page, "login")

    def examine(self, page, view):
        with self.subTest(view):
            violations = Axe().run(page).response["violations"]
            self.assertEqual([f"{fault['id']}: {fault['help']}: {fault['nodes'][0]['html'][:160]}" for fault in violations], [])
            self.assertFalse(page.evaluate("document.documentElement.scrollWidth > innerWidth"), f"{view} is wider than the screen")

    def test_the_light_page_has_no_violations(self):
        self.check(viewport=DESKTOP, color_scheme="light")

    def test_the_dark_page_has_no_violations(self):
        self.check(viewport=DESKTOP, color_scheme="dark")

    def test_the_page_on_a_phone_has_no_violations_and_fits(self):
        self.check(viewport=PHONE, color_scheme="light", locale="de-DE")
