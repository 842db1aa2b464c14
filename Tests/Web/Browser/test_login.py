"""Login, logout, and sessions that end."""
from playwright.sync_api import expect

from support import URL, PageTests, login_address


class LoginTests(PageTests):
    expected_messages = ("401",)

    def test_a_link_logs_in_and_its_token_leaves_the_address(self):
        page = self.watch(self.context().new_page())
        address = login_address("view")
        page.goto(address)
        page.wait_for_url(f"{URL}/")
        page.go_back()
        self.assertNotIn(address.split("#")[1], page.url)

    def test_a_link_that_was_used_is_refused_in_words(self):
        address = login_address("view")
        first = self.watch(self.context().new_page())
        first.goto(address)
        first.wait_for_url(f"{URL}/")
        second = self.watch(self.context().new_page())
        second.goto(address)
        expect(second.get_by_role("alert")).to_contain_text("was used before")
        self.assertEqual(second.url, f"{URL}/login")

    def test_a_typed_token_logs_in(self):
        page = self.watch(self.context().new_page())
        page.goto(f"{URL}/login")
        field = page.get_by_label("Token")
        expect(field).to_be_focused()
        page.keyboard.press("Enter")
        field.fill(login_address("view").split("#")[1])
        page.keyboard.press("Enter")
        page.wait_for_url(f"{URL}/")
        expect(page.locator(".pill")).to_have_attribute("data-state", "live")

    def test_a_page_without_a_session_opens_the_login(self):
        page = self.watch(self.context().new_page())
        page.goto(f"{URL}/#/history")
        page.wait_for_url(f"{URL}/login")

    def test_logout_ends_the_session(self):
        page = self.open("health", is_new_login=True)
        page.get_by_role("button", name="Log out").click()
        page.wait_for_url(f"{URL}/login")
        expect(page.locator("main")).to_contain_text("You are logged out")
        page.goto(f"{URL}/#/events")
        page.wait_for_url(f"{URL}/login")

    def test_a_session_that_ended_is_reported_and_the_view_returns_after_the_login(self):
        context = self.context()
        page = self.open("history", context=context, is_new_login=True)
        other = self.watch(context.new_page())
        other.goto(f"{URL}/#/place")
        other.get_by_role("button", name="Log out").click()
        other.wait_for_url(f"{URL}/login")
        page.wait_for_url(f"{URL}/login")
        expect(page.locator("main")).to_contain_text("Your session has ended")
        page.get_by_label("Token").fill(login_address("edit").split("#")[1])
        page.keyboard.press("Enter")
        expect(page.locator("main.view-history")).to_be_visible()


class ViewerTests(PageTests):
    role = "view"

    def test_the_role_view_has_no_editor(self):
        page = self.open()
        expect(page.get_by_role("navigation").get_by_role("link")).to_have_count(5)
        page.evaluate("location.hash = '#/editor'")
        expect(page.locator("main.view-place")).to_be_visible()
