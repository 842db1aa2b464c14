"""The size and the time of the first view, frames per second with many beacons, and the delay of events."""
import gzip
import json
import time
import urllib.request

from playwright.sync_api import expect

from support import URL, PageTests

# Notes when the plan was painted, and when each event appeared.
OBSERVER = """
new MutationObserver(() => {
  if (!window.shownAt && document.querySelector('.map canvas') && document.querySelector('.tool-zoom') && document.querySelector('.coordinates')?.textContent)
    requestAnimationFrame(() => requestAnimationFrame(() => { window.shownAt ??= performance.now(); }));
  for (const node of document.querySelectorAll('.event .headline:not([data-seen])')) {
    node.dataset.seen = 1;
    (window.eventTimes ??= []).push(Date.now());
  }
}).observe(document, { childList: true, subtree: true, characterData: true });
"""
FRAMES = """
window.frames_ = 0;
const count = () => { window.frames_++; requestAnimationFrame(count); };
requestAnimationFrame(count);
"""


class SpeedTests(PageTests):
    def test_the_first_view_is_small_and_fast(self):
        context = self.context()
        page = self.open(context=context)
        page.close()
        page = self.watch(context.new_page())
        page.add_init_script(OBSERVER)
        sizes = {}
        page.on("response", lambda response: sizes.update({response.url: response}))
        page.goto(f"{URL}/")
        expect(page.locator(".panel .rows button").first).to_be_visible()
        page.wait_for_timeout(300)
        shown = page.evaluate("window.shownAt")
        compressed = {url: len(gzip.compress(response.body(), 9)) for url, response in sizes.items() if "/api/" not in url}
        print(f"first view: {sum(compressed.values())} bytes in {len(compressed)} files, painted after {shown:.0f} ms")
        self.assertLess(sum(compressed.values()), 150_000, compressed)
        self.assertLess(shown, 1000)

    def test_5000_beacons_move_with_30_frames_a_second(self):
        page = self.open("health")
        beacon = {"uuid": "8ec76ea3-6668-48da-9866-75be8bc86f4d", "major": 9, "height": 2.5}

        def answer(route):
            response = route.fetch()
            plan = response.json()
            plan["walkable"] = [{"points": [{"x": 0, "y": 0}, {"x": 200, "y": 0}, {"x": 200, "y": 100}, {"x": 0, "y": 100}]}]
            plan["beacons"] = [{**beacon, "minor": index, "x": 1 + index % 100 * 2, "y": 1 + index // 100 * 2} for index in range(5000)]
            route.fulfill(response=response, body=json.dumps(plan))
        page.route("**/api/plan?*", answer)
        self.show(page, "place")
        expect(page.get_by_role("link", name="All 5000 beacons")).to_be_visible()
        page.evaluate(FRAMES)
        box = page.locator(".map").bounding_box()
        page.mouse.move(box["x"] + 350, box["y"] + 350)
        begin, frames = time.monotonic(), page.evaluate("window.frames_")
        for turn in range(6):
            page.mouse.down()
            page.mouse.move(box["x"] + 350 + (120 if turn % 2 == 0 else 0), box["y"] + 350, steps=25)
            page.mouse.up()
        rate = (page.evaluate("window.frames_") - frames) / (time.monotonic() - begin)
        print(f"5000 beacons: {rate:.0f} frames a second")
        self.assertGreaterEqual(rate, 30)

    def test_an_event_appears_within_300_ms(self):
        context = self.context()
        page = self.open("events", context=context)
        page.add_init_script(OBSERVER)
        page.reload()
        expect(page.locator(".event").first).to_be_visible()
        cookie = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in context.cookies())
        request = urllib.request.Request(f"{URL}/api/live", headers={"Cookie": cookie})
        with urllib.request.urlopen(request, timeout=20) as stream:
            end = time.monotonic() + 20
            for line in stream:
                if line.startswith(b"event: event"):
                    sent = time.time() * 1000
                    break
                if time.monotonic() > end:
                    self.skipTest("the venue had no event in 20 s")
        page.wait_for_timeout(600)
        delay = min(abs(shown - sent) for shown in page.evaluate("window.eventTimes"))
        print(f"event: shown {delay:.0f} ms after it was sent")
        self.assertLess(delay, 300)
