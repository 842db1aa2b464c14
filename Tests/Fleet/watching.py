"""Stops a simulated device while the parts of a fleet are broken, and expects one alert and one recovery at a web server."""
import contextlib
import subprocess
import threading

import alerts

# Both are devices of one site, which has no others.
STAYING, STOPPED = "s40.d40", "s40.d140"


class Watching:
    def __init__(self, hub):
        self.hub = hub
        self.receiver = alerts.Receiver(failures=1)
        self.config = hub.folder / "alerts.toml"
        self.config.write_text('[alerts]\nsilent-after = "6s"\nsteady = "2s"\n[[notifier.action]]\nname = "ops"\nsite = "s40"\n'
                               f'alerts = "device-silent"\n{self.receiver.target}\n')
        self.failure = None
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            self.start_device(STAYING)
            self.start_device(STOPPED)
            self.start_program()
            self.expect("both devices are heard", 30, lambda: self.heard() == 2)
            self.stop(STOPPED)
            self.expect("an alert", 60, lambda: len(self.receiver.events) == 1)
            self.stop("alerts")
            self.start_program()
            self.start_device(STOPPED)
            self.expect("a recovery", 60, lambda: len(self.receiver.events) == 2)
        except RuntimeError as error:
            self.failure = error

    def heard(self):
        # The database may be stopped just now.
        with contextlib.suppress(subprocess.CalledProcessError):
            return int(self.hub.servers.sql(
                "select count(*) from device_state join device using (device_id) join site s using (site_id) where s.name = 's40'")[0][0])
        return 0

    def expect(self, name, seconds, condition):
        if self.hub.wait_for(seconds, condition) is None:
            raise RuntimeError(f"no {name} in {seconds} s")

    def start_device(self, name):
        self.hub.start_load(name, devices=1, first=name.split(".d")[1], sites=100, seconds=300)

    def start_program(self):
        self.hub.start("alerts", self.hub.programs / "beaconmon-hub", "alerts", "--config", self.config)

    def stop(self, name):
        """Kills a program with SIGKILL."""
        self.hub.workers[name].kill()
        self.hub.workers[name].wait()

    def check(self, report):
        self.thread.join()
        # A further alert would have come by now.
        for name in (STAYING, STOPPED, "alerts"):
            self.stop(name)
        expected = [("alert", "device-silent", "d140"), ("alert-ended", "device-silent", "d140")]
        report.check("a device that stops and returns has one alert and one recovery, although the program is killed between",
                     self.failure is None and self.receiver.names() == expected and len(set(self.receiver.ids)) == 2,
                     self.failure or [event["text"] for event in self.receiver.events])
        self.receiver.close()
