"""The programs of the lab: a bus, a broker, the core, and beaconmon, with all their files in one folder."""
import os
import pathlib
import signal
import socket
import subprocess

HERE = pathlib.Path(__file__).parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Lab:
    def __init__(self, venv, programs, folder):
        self.venv, self.programs, self.folder = venv, programs, folder
        self.running = {}
        self.bus = f"unix:path={folder}/bus"
        self.broker_port, self.core_port = free_port(), free_port()
        (folder / "mosquitto.conf").write_text(
            # A restart of this broker loses everything that it kept.
            f"listener {self.broker_port} 127.0.0.1\nallow_anonymous true\npersistence false\nlog_type all\n"
        )
        (folder / "core").mkdir()
        (folder / "core/configuration.yaml").write_text(
            (HERE / "configuration.yaml").read_text().replace("CORE_PORT", str(self.core_port))
        )

    def config(self, name, **changes):
        """Writes a config of beaconmon from the template of this name; each change is a word of the template and its text."""
        text = (HERE / f"{name}.toml").read_text().replace("BROKER_PORT", str(self.broker_port))
        for word, value in changes.items():
            text = text.replace(word, value)
        path = self.folder / f"{name}.toml"
        path.write_text(text)
        return path

    def start(self, name):
        file = self.folder / "beaconmon.toml"
        command = {
            "bus": ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog", f"--address={self.bus}"],
            "broker": ["mosquitto", "-c", self.folder / "mosquitto.conf"],
            # All packages are installed, so the core fetches nothing.
            "core": [self.venv / "bin/python", "-m", "homeassistant", "--config", self.folder / "core", "--skip-pip"],
            "daemon": [
                self.programs / "beaconmond", "--bus", self.bus, "--config", file, "--source", f"simulator:{HERE}/venue.toml",
            ],
            "notifier": [self.programs / "beaconmon-notifier", "--bus", self.bus, "--config", file, "--state", self.folder / "state"],
            "personal": [
                self.programs / "beaconmon-notifier", "--bus", self.bus, "--apps", "--config", self.folder / "personal.toml",
                "--desktop-bus", self.bus, "--state", self.folder / "personal-state",
            ],
        }[name]
        if name == "bus":
            (self.folder / "bus").unlink(missing_ok=True)
        log = open(self.folder / f"{name}.log", "a")
        self.running[name] = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )

    def stop(self, name, number=signal.SIGTERM):
        process = self.running.pop(name)
        process.send_signal(number)
        process.wait(timeout=60)

    def kill(self, name):
        self.stop(name, signal.SIGKILL)

    def reload(self, name):
        self.running[name].send_signal(signal.SIGHUP)

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def end(self):
        for name in list(self.running):
            process = self.running.pop(name)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
