"""Names with markup are text, and never run."""
import json

from playwright.sync_api import expect

from support import PageTests

NAME = "<img src=x onerror=alert(1)><b>bold</b>&amp;\u202e"


class MarkupTests(PageTests):
    def altered(self, page, path, change):
        """Changes the answers of a path, as a hostile venue or app would."""
        def answer(route):
            response = route.fetch()
            body = response.json()
            change(body)
            route.fulfill(response=response, body=json.dumps(body))
        page.route(f"**/api/{path}?*", answer)

    def test_titles_of_places_and_levels_are_text(self):
        page = self.open("health")
        self.altered(page, "places", lambda body: [place.update(title=NAME) for place in body["places"]])
        self.altered(page, "plan", lambda body: body.update(name=NAME))
        self.altered(page, "plans", lambda body: [plan.update(name=NAME, venueName=NAME) for plan in body["plans"]])
        self.show(page, "place")
        page.reload()
        expect(page.locator(".place h1")).to_contain_text("<img src=x onerror=alert(1)>")
        for selector in (".panel", ".tools", "#top", ".place h1"):
            self.assertEqual(page.locator(f"{selector} b, {selector} img[src=x]").count(), 0)

    def test_names_in_events_are_text(self):
        page = self.open("health")
        self.altered(page, "events", lambda body: [event.update(region=NAME, place=NAME, kind=NAME, event="enter", reason={"cause": NAME}) for event in body["events"]])
        self.show(page, "events")
        page.reload()
        expect(page.locator(".event .headline").first).to_contain_text("<img src=x onerror=alert(1)>")
        expect(page.locator(".event .why").first).to_contain_text("<b>bold</b>")
        page.locator(".event summary").first.click()
        self.assertEqual(page.locator(".events b, .events img").count(), 0)
