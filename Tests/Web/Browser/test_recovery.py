"""Lost connections, a daemon that is absent or refuses, and a machine that slept."""
import json
from urllib.parse import urlsplit

from playwright.sync_api import expect

from relay import Relay
from support import URL, PageTests


# A stream with one message.
STREAM = """
window.EventSource = class extends EventTarget {
  constructor() {
    super();
    window.stream = this;
    setTimeout(() => {
      this.dispatchEvent(new Event('open'));
      this.dispatchEvent(new MessageEvent('daemon', { data: %s }));
    });
  }
  close() {}
};
"""


class RecoveryTests(PageTests):
    expected_messages = ("net::ERR", "Failed to load resource")

    def test_the_page_connects_again_after_the_server_returns(self):
        address = urlsplit(URL)
        relay = Relay((address.hostname, address.port))
        self.addCleanup(relay.stop)
        base = f"http://127.0.0.1:{relay.port}"
        page = self.open("place", base=base)
        relay.stop()
        expect(page.locator(".pill")).to_have_attribute("data-state", "lost")
        expect(page.locator(".notices")).to_contain_text("No connection to the server")
        relay.start()
        expect(page.locator(".pill")).to_have_attribute("data-state", "live", timeout=12_000)
        expect(page.locator(".notices")).to_be_empty()
        self.assertEqual(page.evaluate("location.pathname"), "/")

    def pretend(self, state):
        page = self.open("health")
        page.add_init_script(STREAM % json.dumps(state))
        page.reload()
        return page

    def test_an_absent_daemon_is_named_with_the_command_that_starts_it(self):
        page = self.pretend('{"state": "absent"}')
        expect(page.locator(".notices")).to_contain_text("sudo systemctl start beaconmond")

    def test_the_plan_comes_when_the_daemon_returns(self):
        page = self.open("place")
        page.route("**/api/plans*", lambda route: route.fulfill(status=503, json={"error": "the daemon is gone", "code": "daemon-absent"}))
        page.add_init_script(STREAM % json.dumps('{"state": "absent"}'))
        page.reload()
        expect(page.get_by_text("the daemon is gone")).to_be_visible()
        page.unroute("**/api/plans*")
        page.evaluate("stream.dispatchEvent(new MessageEvent('daemon', { data: '{\"state\": \"running\"}' }))")
        expect(page.get_by_role("group", name="Levels").get_by_role("button").first).to_be_visible()
        expect(page.get_by_text("the daemon is gone")).to_be_hidden()

    def test_the_visits_and_the_editor_come_when_the_daemon_returns(self):
        for view, path, sign in (("history", "visits", ".filters select"), ("editor", "venues", ".view-editor .editor-tools")):
            with self.subTest(view):
                page = self.open(view)
                page.route(f"**/api/{path}*", lambda route: route.fulfill(status=503, json={"error": "the daemon is gone", "code": "daemon-absent"}))
                page.add_init_script(STREAM % json.dumps('{"state": "absent"}'))
                page.reload()
                expect(page.get_by_text("the daemon is gone")).to_be_visible()
                page.unroute(f"**/api/{path}*")
                page.evaluate("stream.dispatchEvent(new MessageEvent('daemon', { data: '{\"state\": \"running\"}' }))")
                expect(page.get_by_text("the daemon is gone")).to_be_hidden()
                expect(page.locator(sign).first).to_be_visible()

    def test_a_denied_consent_shows_the_advice_of_the_server(self):
        page = self.pretend('{"state": "denied", "note": "run beaconmon consent allow beaconmon-web"}')
        expect(page.locator(".notices")).to_contain_text("beaconmon consent allow")

    def test_a_machine_that_slept_for_a_day_connects_again_at_once(self):
        context = self.context()
        page = self.open("events", context=context)
        page.clock.install()
        page.reload()
        expect(page.locator(".pill")).to_have_attribute("data-state", "live")
        with page.expect_request("**/api/live*", timeout=5000):
            page.clock.fast_forward("24:00:00")
        expect(page.locator(".pill")).to_have_attribute("data-state", "live")
        expect(page.locator(".event").first).to_be_visible()
