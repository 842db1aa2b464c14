"""The browser of the tests, and logins at the server that Tests/Web/run started."""
import atexit
import os
import shutil
import subprocess
import unittest

from playwright.sync_api import expect, sync_playwright

URL = os.environ.get("BEACONMON_WEB_URL", "")
VIEWS = ["place", "beacons", "events", "history", "health", "editor"]
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}

_state = {}
expect.set_options(timeout=8000)


def browser():
    """Returns the browser, which all tests share."""
    if not _state:
        playwright = sync_playwright().start()
        _state["browser"] = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-dev-shm-usage"])
        atexit.register(playwright.stop)
    return _state["browser"]


def login_address(role):
    """Returns an address that logs in once."""
    command = [*os.environ["BEACONMON_WEB_LOGIN"].split(), role]
    address = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return URL + address[address.index("/login"):]


class PageTests(unittest.TestCase):
    """Tests with a page that is logged in. An error of a script, or a dialog that no test expects, fails the test."""

    role = "edit"
    # Statuses that a test provokes are logged by the browser.
    expected_messages = ()
    accepts_dialogs = False

    def setUp(self):
        if not URL:
            self.skipTest("BEACONMON_WEB_URL is not set; run Tests/Web/run PROGRAMS -- Tests/Web/browser")
        self.faults = []

    def tearDown(self):
        self.assertEqual(self.faults, [])

    def context(self, **options):
        context = browser().new_context(**{"viewport": DESKTOP, "locale": "en-GB", **options})
        context.set_default_timeout(8000)
        self.addCleanup(context.close)
        return context

    def watch(self, page):
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        page.on("console", lambda message: self.note(message))
        page.on("dialog", self.answer)
        return page

    def answer(self, dialog):
        if self.accepts_dialogs:
            return dialog.accept()
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def note(self, message):
        if message.type in ("error", "warning") and not any(part in message.text for part in self.expected_messages):
            self.faults.append(f"console: {message.text}")

    def open(self, view="place", context=None, base=None, is_new_login=False, **options):
        """Returns a page that shows a view. Tests share a login for each role, unless they end it."""
        context = context or self.context(**options)
        page = self.watch(context.new_page())
        cookies = _state.setdefault("cookies", {})
        if is_new_login or self.role not in cookies:
            page.goto(login_address(self.role))
            page.wait_for_url(f"{URL}/")
            if not is_new_login:
                cookies[self.role] = context.cookies()
        elif not context.cookies():
            context.add_cookies(cookies[self.role])
        page.goto("about:blank")
        page.goto(f"{base or URL}/#/{view}")
        expect(page.locator(".pill")).to_have_attribute("data-state", "live")
        if self.role == "edit" or view != "editor":
            self.settle(page, view.split("/")[0])
        return page

    def show(self, page, view):
        page.evaluate("view => { location.hash = `#/${view}`; }", view)
        expect(page.locator(f"main.view-{view.split('/')[0]}")).to_be_visible()
        self.settle(page, view.split("/")[0])

    def settle(self, page, view):
        """Waits for the data of a view."""
        shown = {"place": ".map canvas", "beacons": "tbody tr", "events": ".event", "history": ".history svg, .history .empty", "health": ".health .summary",
                 "editor": ".item-list .rows button"}[view]
        expect(page.locator(shown).first).to_be_attached()
