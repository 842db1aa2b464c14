"""Surveys a room in the dialogue while the parts of a fleet are broken, and takes the same walk for another room afterwards."""
import contextlib
import re
import subprocess
import threading
import time

# Both are devices of one site, which has no others.
NAMES = ("s41.d41", "s41.d141")
ROOMS = ("hall", "yard")
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"


class Surveying:
    def __init__(self, hub):
        self.hub = hub
        self.output, self.failure = "", None
        self.is_walking, self.has_ended = threading.Event(), threading.Event()
        for name, room in zip(NAMES, ROOMS):
            hub.hub("admin", "place", name, "--room", room)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            for name in NAMES:
                self.hub.start_load(name, devices=1, first=name.split(".d")[1], sites=100, seconds=300)
            self.expect("a tag", 30, lambda: self.tag() is not None)
            self.program = self.hub.dialogue("survey", "admin", "survey", "s41", "--tag", self.tag())
            threading.Thread(target=self.read, daemon=True).start()
            self.answer("Room (number)", "1")
            self.answer("Rooms behind its doors", "2")
            self.answer("Enter begins: ", "")
            self.expect_text("Enter ends")
            self.is_walking.set()
            self.has_ended.wait()
            # The digests of the first part arrive later than usual. Now the walk has a second part.
            self.expect_text("s are missing", seconds=90)
            missing = int(re.search(r"(\d+) s are missing", self.output)[1])
            self.answer("Enter begins again: ", "")
            self.expect_text("Enter ends", times=2)
            # The command said how long to walk on; the first three seconds of a part do not count.
            time.sleep(missing + 8)
            self.enter("")
            self.expect_text("stored the survey of hall", seconds=60)
            self.answer("Room (number)", "", times=2)
            self.program.wait(timeout=10)
        except (RuntimeError, subprocess.SubprocessError, OSError) as error:
            self.failure = error

    def tag(self):
        """Returns the tag that most digests have had."""
        with contextlib.suppress(subprocess.CalledProcessError):
            rows = self.hub.servers.sql("select major || '/' || minor from beacon join site using (site_id) where name = 's41' and sightings > 1 "
                                        "order by sightings desc limit 1")
            return rows[0][0] if rows else None
        return None

    def read(self):
        while chunk := self.program.stdout.read(1):
            self.output += chunk

    def expect(self, name, seconds, condition):
        if self.hub.wait_for(seconds, condition) is None:
            raise RuntimeError(f"no {name} in {seconds} s: {self.output}")

    def expect_text(self, text, times=1, seconds=30):
        self.expect(f'"{text}"', seconds, lambda: self.output.count(text) >= times)

    def answer(self, question, text, times=1):
        self.expect_text(question, times)
        self.enter(text)

    def enter(self, text):
        self.program.stdin.write(text + "\n")
        self.program.stdin.flush()

    def end_part(self):
        """Ends the walk. Call it while the database is stopped."""
        if self.is_walking.wait(30):
            self.enter("")
            self.hub.wait_for(10, lambda: "connects again" in self.output)
        self.has_ended.set()

    def check(self, report):
        self.thread.join()
        parts = self.parts()
        listed = self.hub.hub("admin", "survey", "s41", "--list").stdout
        seconds = int(re.search(r"^hall .* (\d+) s, \d+ levels", listed, re.M)[1]) if "levels" in listed else 0
        walked = sum(end - begin for begin, end in parts)
        report.check("a walk is stored although the database stopped during it and at its end",
                     self.failure is None and "connects again" in self.output and "stored the survey of hall" in self.output, self.failure or "")
        # Each part but the first loses three seconds.
        report.check("the wait for late digests is no part of the walk", len(parts) == 2 and parts[1][0] - parts[0][1] >= 10 and walked - 5 <= seconds <= walked,
                     f"{seconds} s of walks of {walked:.0f} s, with a pause of {parts[1][0] - parts[0][1]:.0f} s" if len(parts) == 2 else self.output)
        times = [word for begin, end in self.times() for word in ("--from", begin, "--to", end)]
        again = self.hub.hub("admin", "survey", "s41", "--tag", self.tag() or "", "--room", "yard", *times, check=False, stderr=subprocess.STDOUT).stdout
        listed = self.hub.hub("admin", "survey", "s41", "--list").stdout
        report.check("the printed times take the walk again", f" in {seconds} s" in again and "all rooms are surveyed, so the surveys decide" in listed, again + listed)
        for name in NAMES:
            self.hub.workers[name].kill()
            self.hub.workers[name].wait()

    def times(self):
        return list(zip(re.findall(f"begins at ({TIME})", self.output), re.findall(f"ends at ({TIME})", self.output)))

    def parts(self):
        """Returns the beginning and the end of each part of the walk, in seconds."""
        def clock(text):
            return time.mktime(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")) + float(text[19:-1])
        return [(clock(begin), clock(end)) for begin, end in self.times()]
