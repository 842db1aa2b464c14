"""Looks at the page of the hub in Debian's chromium, with axe. `Tests/Fleet/page-browser` runs it. FLEET_PICTURES=FOLDER keeps pictures."""
import os
import shutil
import unittest

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import pages

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
TAG = f"tag/berlin/{pages.TAG}/1/5"
# Chromium logs the answer to a request without a session.
EXPECTED = ("401",)


def setUpModule():
    global page, url, playwright, browser
    page = pages.Page()
    try:
        page.up()
        page.servers.sql("insert into beacon_name select beacon_id, 'Trolley ' || minor from beacon where minor % 7 = 0;"
                         "update site set title = 'Paris, Louvre', latitude = 48.8606, longitude = 2.3376 where name = 'paris'")
        page.servers.sql("select fleet_begin_share(gen_random_uuid(), site_id, device_id, null, null, 'device:door', 'Tour of the hall', '1 hour', '{role:viewer}') "
                         "from device join site using (site_id) where device.name = 'door' and site.name = 'berlin'")
        url = f"http://localhost:{page.start_on_port()}"
        playwright = sync_playwright().start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-dev-shm-usage"])
    except BaseException:
        page.down()
        raise
    expect.set_options(timeout=8000)


def tearDownModule():
    playwright.stop()
    page.down()


class BrowserTests(unittest.TestCase):
    def setUp(self):
        self.faults = []

    def tearDown(self):
        self.assertEqual(self.faults, [])

    def open(self, person, **options):
        """Returns a page after signing in."""
        context = browser.new_context(**{"viewport": DESKTOP, "locale": "en-GB", **options})
        context.set_default_timeout(8000)
        self.addCleanup(context.close)
        tab = context.new_page()
        tab.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        tab.on("console", lambda message: message.type in ("error", "warning") and not any(part in message.text for part in EXPECTED)
               and self.faults.append(f"console: {message.text}"))
        tab.goto(url)
        tab.wait_for_url(f"{url}/login")
        tab.locator("input[name=person]").fill(person)
        tab.locator("input[name=password]").fill(pages.PASSWORD)
        tab.keyboard.press("Enter")
        tab.wait_for_url(f"{url}/")
        tab.locator(".pill[data-state=live]").wait_for()
        return tab

    def show(self, tab, view):
        tab.goto(f"{url}/#/{view}")
        tab.locator(f"main.view-{view.split('/')[0]} h1").wait_for()

    def examine(self, tab, name):
        with self.subTest(name):
            if folder := os.environ.get("FLEET_PICTURES"):
                tab.screenshot(path=f"{folder}/{name.replace('/', '-')}.png", full_page=False)
            violations = Axe().run(tab).response["violations"]
            self.assertEqual([f"{fault['id']}: {fault['help']}: {fault['nodes'][0]['html'][:160]}" for fault in violations], [])
            self.assertFalse(tab.evaluate("document.documentElement.scrollWidth > innerWidth"), "wider than the screen")
            self.assertFalse(tab.locator(".hearing").evaluate_all("all => all.some(one => one.getBoundingClientRect().right > innerWidth)"), "a device is cut off")

    def check(self, name, **options):
        tab = self.open("root", **options)
        for view in ("sites", "site/berlin", TAG, "search/5", "sharing"):
            self.show(tab, view)
            expect(tab.locator("main td, main dd").first).to_be_visible()
            tab.wait_for_timeout(300)
            self.examine(tab, f"{name}-{view.split('/')[0]}")
        tab.locator("#logout").click()
        tab.wait_for_url(f"{url}/login")
        tab.locator("input[name=person]").wait_for()
        self.examine(tab, f"{name}-login")

    def test_the_light_page_has_no_violations(self):
        self.check("light", color_scheme="light")

    def test_the_dark_page_has_no_violations(self):
        self.check("dark", color_scheme="dark")

    def test_the_page_on_a_phone_has_no_violations_and_fits(self):
        self.check("phone", viewport=PHONE, locale="de-DE")

    def test_the_label_of_a_site_on_the_map_is_whole_and_opens_the_site(self):
        for viewport in (DESKTOP, PHONE):
            tab = self.open("root", viewport=viewport)
            area = tab.get_by_role("region", name="Map of the sites").bounding_box()
            labels = tab.locator(".leaflet-tooltip")
            expect(labels).to_have_count(2)
            for label in labels.all():
                box = label.bounding_box()
                self.assertTrue(area["x"] <= box["x"] and box["x"] + box["width"] <= area["x"] + area["width"], (area, box))
            labels.filter(has_text="Berlin, Alexanderplatz").click()
            tab.wait_for_url(f"{url}/#/site/berlin")

    def with_plan(self):
        """Gives berlin a plan, and rooms that it has and one that it lacks."""
        page.servers.sql("update device set room = case name when 'door' then 'Attic' when 'hall' then 'Hall' else 'office' end, floor = 0;"
                         "update beacon set room = 'Hall' where major = 1 and minor between 1 and 30; update beacon set room = 'office' where minor = 40")
        page.hub("admin", "venue", "berlin", pages.ROOT / "Tests/Fleet/berlin.venue.toml", check=True)
        self.addCleanup(page.hub, "admin", "venue", "berlin", "--remove", check=True)

    def test_a_site_without_a_venue_has_a_hint(self):
        tab = self.open("ada")
        self.show(tab, "site/berlin")
        expect(tab.get_by_text("beaconmon-hub admin venue berlin FILE")).to_be_visible()
        expect(tab.locator(".site-plan")).to_be_hidden()

    def test_the_plan_has_no_violations_and_fits(self):
        self.with_plan()
        for name, options in (("light", {"viewport": {"width": 1200, "height": 800}, "color_scheme": "light"}), ("dark", {"color_scheme": "dark"}),
                              ("phone", {"viewport": PHONE, "locale": "de-DE"})):
            tab = self.open("ada", **options)
            self.show(tab, "site/berlin")
            expect(tab.locator(".room-icon")).to_have_count(1)
            self.examine(tab, f"plan-{name}")
            tab.locator(".site-plan .rows button", has_text="Hall").click()
            expect(tab.locator(".tag-names li")).to_have_count(30)
            tab.locator(".room-detail").scroll_into_view_if_needed()
            self.examine(tab, f"plan-{name}-chosen")

    def test_a_room_is_chosen_on_the_plan_by_keyboard_in_the_list_and_above_the_table(self):
        self.with_plan()
        tab = self.open("ada")
        self.show(tab, "site/berlin")
        room = tab.get_by_label("Room", exact=True)
        rows = tab.get_by_role("region", name="Tags").locator("tbody tr")
        mark = tab.get_by_role("button", name="Hall: 30 tags, hall (problem)")
        mark.focus()
        tab.keyboard.press("Enter")
        expect(room).to_have_value("Hall")
        expect(rows).to_have_count(30)
        expect(tab.locator(".tag-names li")).to_have_count(30)
        expect(mark).to_have_attribute("aria-pressed", "true")
        expect(mark).to_be_focused()
        # The floor of its device is the other one, but the plan has one place with the name.
        tab.locator(".site-plan .rows button", has_text="office").click()
        expect(tab.get_by_role("button", name="First floor", exact=True)).to_have_attribute("aria-pressed", "true")
        expect(tab.get_by_role("button", name="office: 1 tag, shop (new)")).to_be_visible()
        expect(rows).to_have_count(1)
        expect(tab.get_by_role("heading", name="Rooms that are not on the plan")).to_be_visible()
        tab.locator(".other-rooms button", has_text="Attic").click()
        expect(tab.get_by_text("No tag is in this room now.")).to_be_visible()
        room.select_option("")
        expect(rows).to_have_count(200)
        expect(tab.locator(".room-detail")).to_be_hidden()

    def test_a_tag_that_moves_and_another_plan_appear_without_a_reload(self):
        self.with_plan()
        tab = self.open("ada")
        self.show(tab, "site/berlin")
        expect(tab.get_by_role("button", name="Hall: 30 tags")).to_be_visible()
        page.servers.sql("update beacon set room = 'Hall' where major = 1 and minor = 50;"
                         "insert into room_change(beacon_id, from_room, to_room, changed_at, reason)"
                         " select beacon_id, null, 'Hall', now(), '{\"kind\": \"appeared\"}' from beacon where major = 1 and minor = 50")
        expect(tab.get_by_role("button", name="Hall: 31 tags")).to_be_visible(timeout=15_000)
        page.servers.sql("update beacon set room = null where major = 1 and minor = 50")
        page.hub("admin", "venue", "berlin", "--remove", check=True)
        expect(tab.get_by_text("beaconmon-hub admin venue berlin FILE")).to_be_visible(timeout=40_000)

    def test_the_rollout_that_a_device_has_refused_is_legible(self):
        page.servers.sql("update device_report set revision = 1795000000, rollout_revision = 1795000900 where rollout_state = 2")
        for viewport in (DESKTOP, PHONE):
            tab = self.open("root", viewport=viewport)
            self.show(tab, "site/berlin")
            cell = tab.get_by_role("cell", name="1795000900 refused: line 3: unknown key")
            cell.scroll_into_view_if_needed()
            lines = "cell => { const range = document.createRange(); range.selectNodeContents(cell.firstChild.firstChild); return range.getClientRects().length; }"
            self.assertEqual(cell.evaluate(lines), 1, "the number of the revision is broken into lines")
            self.examine(tab, f"rollout-{viewport['width']}")

    def test_a_wrong_password_is_said_and_the_field_is_empty(self):
        self.addCleanup((tab := browser.new_page()).close)
        tab.goto(f"{url}/login")
        tab.locator("input[name=person]").fill("ada")
        tab.locator("input[name=password]").fill("wrong horse battery")
        tab.keyboard.press("Enter")
        expect(tab.get_by_role("alert")).to_have_text("The name or the password is wrong.")
        expect(tab.locator("input[name=password]")).to_have_value("")

    def test_the_list_of_sites_names_an_outage_while_it_lasts(self):
        tab = self.open("ada")
        page.servers.sql("insert into outage(part, cause, began_at) values ('broker', 'disk', now())")
        self.addCleanup(page.servers.sql, "delete from outage")
        outage = tab.get_by_text("The broker of the hub has taken no messages since")
        tab.reload()
        expect(outage).to_be_visible()
        self.examine(tab, "outage")
        page.servers.sql("update outage set ended_at = now()")
        tab.reload()
        expect(tab.get_by_role("row", name="Berlin, Alexanderplatz").first).to_be_visible()
        expect(outage).to_have_count(0)

    def test_a_tag_has_the_title_of_its_site(self):
        tab = self.open("ada")
        self.show(tab, TAG)
        expect(tab.get_by_role("link", name="Berlin, Alexanderplatz", exact=True)).to_have_attribute("href", "#/site/berlin")
        expect(tab.get_by_role("link", name="All of Berlin, Alexanderplatz")).to_be_visible()
        self.show(tab, "search/1%2F5")
        expect(tab.get_by_role("cell", name="Berlin, Alexanderplatz")).to_be_visible()

    def test_a_headline_on_a_phone_has_the_whole_width(self):
        self.show(tab := self.open("ada", viewport=PHONE, locale="de-DE"), "site/berlin")
        tab.locator(".headline").first.scroll_into_view_if_needed()
        self.examine(tab, "headline")
        self.assertEqual(tab.locator(".headline").evaluate_all("""lines => lines.filter(line => {
          const range = document.createRange(); range.selectNodeContents(line.firstChild);
          return range.getClientRects().length > 1 && line.querySelector("time").getBoundingClientRect().top < range.getBoundingClientRect().bottom - 1;
        }).map(line => line.textContent)"""), [])  # A text of two lines does not share its width with the date.

    def test_a_refusal_has_a_text_in_the_language_of_the_page(self):
        self.show(tab := self.open("otto", locale="de-DE"), TAG)
        for code, text in (("database", "Die Datenbank der Flotte antwortet nicht"), ("unheard-of", "the reason of the server")):
            tab.route("**/api/tag/name", lambda route, _, code=code: route.fulfill(status=422, json={"error": "the reason of the server", "code": code}))
            tab.get_by_role("button", name="Speichern").click()
            expect(tab.get_by_text(text)).to_be_visible()
        self.faults = [fault for fault in self.faults if "422" not in fault]

    def test_a_move_has_its_reason_in_words(self):
        tab = self.open("root")
        self.show(tab, TAG)
        moved = tab.get_by_text("For 4.0 s, this room was the more likely one.")
        expect(moved).to_contain_text("hears it with −61.0 dBm, and tags near it usually with −58.0 dBm.")
        expect(moved).to_contain_text("hall hears it with −72.0 dBm. The rooms are on different floors")

    def test_a_viewer_finds_a_tag_and_an_operator_names_it(self):
        tab = self.open("ada")
        tab.get_by_role("link", name="Search").click()
        tab.get_by_label("Name, numbers or UUID").fill("trolley 14")
        tab.keyboard.press("Enter")
        tab.get_by_role("link", name="Trolley 14", exact=True).click()
        expect(tab.get_by_role("heading", level=1)).to_have_text("Trolley 14")
        expect(tab.get_by_label("Name of the tag")).to_have_count(0)
        tab = self.open("otto")
        self.show(tab, TAG)
        tab.get_by_label("Name of the tag").fill("<img src=x onerror=alert(1)>")
        tab.get_by_role("button", name="Save").click()
        expect(tab.get_by_role("heading", level=1)).to_have_text("<img src=x onerror=alert(1)>")

    def test_a_person_accepts_an_offer_and_shares_a_tag(self):
        page.servers.sql("insert into beacon_owner select beacon_id, (select person_id from person where name = 'ada') from beacon where major = 1 and minor = 5")
        tab = self.open("ada")
        self.show(tab, TAG)
        tab.get_by_text("Share the room of this tag").click()
        tab.get_by_label("Recipients, separated by spaces").fill("olga device:hall")
        tab.get_by_label("Purpose").fill("My bag")
        tab.get_by_role("button", name="Share", exact=True).click()
        expect(tab.get_by_text("Offered.")).to_be_visible()
        tab.get_by_role("link", name="Sharing").click()
        tab.get_by_role("button", name="Accept: device:door").click()
        expect(tab.get_by_role("button", name="Leave: device:door")).to_be_visible()
        tab.get_by_role("button", name="End: ada").click()
        expect(tab.get_by_text("My bag")).to_have_count(0)

    def test_a_device_that_changes_appears_without_a_reload(self):
        tab = self.open("ada")
        self.show(tab, "site/berlin")
        row = tab.get_by_role("row", name="door")
        expect(row.first).to_contain_text("good")
        page.servers.sql("update device_report set problems = array['no receiver'] from device where device.device_id = device_report.device_id and name = 'door'")
        expect(row.first).to_contain_text("no receiver", timeout=15_000)

    def test_events_and_a_new_role_appear_without_a_reload_and_an_odd_event_hides_no_other(self):
        tab = self.open("ada")
        self.show(tab, "site/berlin")
        expect(tab.get_by_role("heading", name="Events")).to_be_visible()
        page.servers.sql("insert into event(device_id, journal, sequence, device_time, body)"
                         " select device_id, '00000000-0000-0000-0000-000000000002', n, now(), b::jsonb from device,"
                         " unnest(array['5', '{}', '{\"event\": 7}', '{\"event\": \"enter\"}'], array[1, 2, 3, 4]) as new(b, n) where name = 'door'")
        page.hub("admin", "person", "grant", "ada", "berlin", "owner", check=True)
        expect(tab.get_by_label("Name of the person")).to_be_visible(timeout=15_000)
        expect(tab.locator("ol.events pre", has_text='{"event":7}').first).to_be_visible()
        self.assertGreater(tab.locator("ol.events li").count(), 100)
        page.hub("admin", "person", "grant", "ada", "berlin", "viewer", check=True)
        expect(tab.get_by_label("Name of the person")).to_have_count(0, timeout=15_000)

    def test_an_owner_grants_and_revokes_a_role(self):
        tab = self.open("olga")
        self.show(tab, "site/berlin")
        tab.get_by_label("Name of the person").fill("pia")
        tab.get_by_role("button", name="Grant role").click()
        expect(tab.get_by_role("row", name="pia").first).to_contain_text("Viewer")
        tab.on("dialog", lambda dialog: dialog.accept())
        tab.get_by_role("button", name="Revoke the role of pia").click()
        expect(tab.get_by_label("Role of pia")).to_have_count(0)
