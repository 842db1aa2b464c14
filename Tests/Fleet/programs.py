"""The programs of a real device: a daemon and a notifier that reports to the hub."""
import subprocess

CONFIGURATION = """
[notifier.hub]
url = "mqtts://{listener}"
site = "{site}"
device = "{device}"
certificate = "{folder}/{site}.{device}.crt"
key = {{ file = "{folder}/{site}.{device}.key" }}
ca = "{folder}/ca.crt"
"""


class DevicePrograms:
    """The programs of one device on a bus of their own."""

    def __init__(self, programs, hub, name, before="", after=""):
        """Prepares the device with the parts of its configuration `before` and `after` the table of the hub."""
        self.programs, self.hub, self.name = programs, hub, name
        self.folder = hub.folder / name
        self.folder.mkdir()
        self.bus = f"unix:path={self.folder}/bus"
        site, device = name.split(".")
        (self.folder / "device.toml").write_text(before + CONFIGURATION.format(
            listener=hub.servers.listeners.split(",")[0], site=site, device=device, folder=hub.servers.certificates) + after)
        hub.start(f"{name}.bus", "dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={self.bus}")
        hub.wait_for(10, (self.folder / "bus").exists)

    def start_program(self, program, *arguments):
        # A daemon that cannot read its decisions about consent gives no location.
        environment = ["env", f"STATE_DIRECTORY={self.folder}"]
        return self.hub.start(f"{self.name}.{program}", *environment, self.programs / program, "--bus", self.bus,
                              "--config", self.folder / "device.toml", *arguments)

    def start_notifier(self):
        self.notifier = self.start_program("beaconmon-notifier", "--state", self.folder / "state")

    def beaconmon(self, *arguments):
        return subprocess.run([self.programs / "beaconmon", *arguments, "--bus", self.bus], capture_output=True, text=True, timeout=60)

    def log(self):
        """Returns what the notifier has logged."""
        return (self.hub.logs / f"{self.name}.beaconmon-notifier.log").read_text()

    def key(self):
        """Returns the number of the device in the database."""
        site, device = self.name.split(".")
        return self.hub.servers.sql(f"select device_id from device d join site s using (site_id) where s.name = '{site}' and d.name = '{device}'")[0][0]
