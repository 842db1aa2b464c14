"""Runs the commands of Docs/fleet about certificates, sites, journals and backups as an operator would, against the private servers."""
import os
import pathlib
import re
import shutil
import subprocess
import time

import intruders

GUIDES = pathlib.Path(__file__).parents[2] / "Docs/fleet"
OLD, NEW = "gallery.door", "museum.door"
WORKERS = ("worker1", "worker2")


def blocks(heading):
    """Returns the shell commands under a heading of the guides, a text for each block."""
    text = "".join(guide.read_text() for guide in GUIDES.glob("*.md"))
    section = re.split(r"^#+ ", text.split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(r"^```sh\n(.*?)^```", section, flags=re.MULTILINE | re.DOTALL)


class Operator:
    """Runs the guide's commands with the names, the folders and the servers of this run."""

    def __init__(self, hub, device):
        self.hub, self.device = hub, device
        tools = hub.folder / "operator"
        tools.mkdir()
        self.stub(tools / "sudo", 'if [ "$1" = -u ]; then shift 2; fi\nexec "$@"')
        # The run starts and stops the programs in place of systemd.
        self.stub(tools / "systemctl", f'echo "$*" >>{hub.logs}/systemctl')
        (tools / "beaconmon-hub").symlink_to(hub.programs / "beaconmon-hub")
        (tools / "rabbitmqctl").symlink_to(hub.control[1])
        servers = hub.servers
        self.environment = hub.environment | {
            "PATH": f"{tools}:{servers.postgresql}:{os.environ['PATH']}", "PGHOST": str(servers.folder), "PGPORT": str(servers.ports["postgresql"]),
            "PGUSER": "hub"}
        files = servers.certificates
        self.names = {
            "--authority ca": f"--authority {files}", "ca/": f"{files}/",
            "/etc/beaconmon/hub.key": f"{files}/{OLD}.key", "/etc/beaconmon/hub.pem": f"{files}/{OLD}.pem", "berlin.door": OLD,
            "potsdam.door": NEW, "broker1.example:5671": servers.brokers.split(",")[0].removeprefix("amqps://"), "broker1.example": "localhost",
            "-g rabbitmq ": "", "-g beaconmon-hub ": "", "/etc/rabbitmq": f"{files}/node", "/etc/beaconmon-hub": f"{files}/worker",
            "/var/lib/beaconmon/": f"{device.folder}/"}

    def stub(self, path, script):
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def run(self, commands):
        """Runs a block, and returns its output."""
        for name, value in self.names.items():
            commands = commands.replace(name, value)
        done = subprocess.run(["sh", "-ec", commands], cwd=self.hub.servers.certificates, env=self.environment, capture_output=True, text=True, timeout=180)
        if done.returncode:
            raise RuntimeError(f"{commands}: {done.stdout}{done.stderr}")
        return done.stdout


def read(path, field="serial"):
    """Returns a field of a certificate."""
    return subprocess.run(["openssl", "x509", "-in", path, "-noout", f"-{field}"], capture_output=True, text=True, check=True).stdout


def connections(device):
    return device.log().count("connected to")


def state(hub, name):
    return next((device for device in hub.status()["devices"] if device["name"] == name), {})


def renew_device(operator, report):
    """A device gets a new certificate for the key that it keeps."""
    files, device = operator.hub.servers.certificates, operator.device
    before = [read(files / f"{OLD}.crt", field) for field in ("serial", "subject")]
    renewal = blocks("Renew the certificate of a device")
    for block in renewal:
        operator.run(block)
    restart_notifier(device)
    after = [read(files / f"{OLD}.pem", field) for field in ("serial", "subject")]
    report.check("a device continues with a renewed certificate of its present user", len(renewal) == 3 and
                 before[0] != after[0] and before[1] == after[1], after)


def restart_notifier(device):
    count = connections(device)
    device.notifier.kill()
    device.notifier.wait()
    device.start_notifier()
    if device.hub.wait_for(40, lambda: connections(device) > count) is None:
        raise RuntimeError(f"the notifier does not connect: {device.log()[-300:]}")


def renew_hub(operator, report):
    """A node of the broker and the workers get new certificates."""
    hub, files = operator.hub, operator.hub.servers.certificates
    for folder in ("node", "worker"):
        (files / folder).mkdir()
    dates, renewal = blocks("Renew the certificates of the hub")
    report.check("the end of a node's certificate is printed", operator.run(dates).startswith("notAfter="))
    operator.run(renewal.split("sudo rabbitmqctl")[0])
    # The configuration of the private broker names this file.
    shutil.copy(files / "node/localhost.key", files / "server.key")
    hub.servers.own(files / "server.key")
    (files / "localhost.crt").chmod(0o644)
    operator.run("sudo rabbitmqctl" + renewal.split("sudo rabbitmqctl", 1)[1])
    shown = operator.run(dates.replace("-enddate", "-serial"))
    report.check("a node uses its new certificate at once, and the files of the workers are made", shown == read(files / "node/localhost.crt") and
                 read(files / "worker/hub.crt") == read(files / "hub.crt"), shown.strip())
    report.check("a device publishes at the node", intruders.publish(hub, "s6.d6", intruders.topic(hub, "s6.d6")))


def change_password(operator, report):
    """The hub gets another password at the broker. Workers with the former one store nothing."""
    hub = operator.hub
    settings, former = hub.servers.certificates / "worker/hub.conf", hub.environment["BEACONMON_HUB_BROKER_PASSWORD"]
    settings.write_text(f'# Settings\nBEACONMON_HUB_BROKER_PASSWORD="{former}"\n')
    del operator.environment["BEACONMON_HUB_BROKER_PASSWORD"]
    operator.environment["BEACONMON_HUB_SETTINGS"] = str(settings)
    [change] = blocks("Change the password of the broker")
    said = operator.run(change)
    log = hub.logs / f"{WORKERS[0]}.log"
    took = hub.wait_for(20, lambda: "login: ACCESS_REFUSED" in log.read_text())
    report.check("a new password ends the connections of workers with the former one, which name the remedy", took is not None and
                 "user hub had another password" in said and '"beaconmon-hub admin users" gives' in log.read_text(), said.strip())
    hub.environment["BEACONMON_HUB_BROKER_PASSWORD"] = re.search('^BEACONMON_HUB_BROKER_PASSWORD=(.*)$', settings.read_text(), re.MULTILINE)[1]
    for name in WORKERS:
        hub.workers[name].terminate()
        hub.workers[name].wait()
        hub.start_worker(name)
    published = intruders.publish(hub, "s6.d6", intruders.topic(hub, "s6.d6"), intruders.event(1, '{"event":"changed"}', journal=78))
    took = hub.wait_for(30, lambda: hub.servers.sql("select count(*) from event where body::text like '%changed%'") == [["1"]])
    logs = "".join(path.read_text(errors="replace") for path in hub.logs.glob("*.log"))
    report.check("workers with the new password store events, and no log has a password", published and took is not None and not any(
        password in logs for password in (former, hub.environment["BEACONMON_HUB_BROKER_PASSWORD"])))


def walk(device):
    """Lets a device hear its recorded walk again, quickly."""
    device.start_daemon(speed=40)
    device.hub.wait_for(60, lambda: '"sourceState":"paused"' in device.beaconmon("status", "--json").stdout)


def switch_off(device):
    device.stop_daemon()
    device.notifier.kill()
    device.notifier.wait()


def move(operator, report):
    """The device moves to another site, and goes on with its journal."""
    hub, device, files = operator.hub, operator.device, operator.hub.servers.certificates
    enrol, revoke = blocks("Move devices to another site")
    printed = operator.run(enrol)
    shutil.copy(files / f"{OLD}.key", files / f"{NEW}.key")
    config = device.folder / "device.toml"
    text = config.read_text().replace('site = "gallery"', 'site = "museum"')
    for suffix in ("crt", "key"):
        text = text.replace(f"{OLD}.{suffix}", f"{NEW}.{suffix}")
    config.write_text(text)
    restart_notifier(device)
    device.stop_daemon()
    walk(device)
    took = hub.wait_for(40, lambda: state(hub, NEW).get("version") and len(device.stored(NEW)) >= 4)
    operator.run(revoke)
    new, old = state(hub, NEW), state(hub, OLD)
    report.check("a device that moves to a site of another partition continues its journal there, without missing numbers",
                 took is not None and "partition 9" in printed and (new["missing"], new["lost"], old["revoked"]) == (0, 0, True), new)


def restore_journal(operator, report):
    """The disk of the device is restored from an older image, and then gets a new journal."""
    hub, device = operator.hub, operator.device
    switch_off(device)
    image = hub.folder / "image"
    shutil.copytree(device.folder, image, ignore=shutil.ignore_patterns("bus"))
    device.start_notifier()
    walk(device)
    switch_off(device)
    for path in device.folder.iterdir():
        if path.name != "bus":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(image, device.folder, dirs_exist_ok=True)
    # The same walk with the same regions would repeat the same events, which are copies.
    config = device.folder / "device.toml"
    config.write_text(config.read_text().replace('identifier = "exhibit', 'identifier = "room'))
    device.start_notifier()
    walk(device)
    took = hub.wait_for(40, lambda: "conflict" in state(hub, NEW)["recentRefusals"])
    report.check("status shows a device whose disk was restored from an image", took is not None, state(hub, NEW)["recentRefusals"])
    switch_off(device)
    refused, before = state(hub, NEW)["refused"], len(device.stored(NEW))
    operator.run(next(block for block in blocks("Refused messages") if "journal.db" in block))
    device.start_notifier()
    walk(device)
    took = hub.wait_for(40, lambda: len(device.stored(NEW)) >= before + 4)
    report.check("a new journal ends the refusals, and its events are stored", took is not None and refused == state(hub, NEW)["refused"],
                 f"{before} and {len(device.stored(NEW))} events, refused {refused}")


def back_up(operator):
    operator.run(blocks("Back up and restore")[0])


def restore(operator, report):
    """The database returns to its dump, which is older than the move of the device and the revocation of its old name."""
    hub = operator.hub
    number = int(hub.servers.sql("select nextval('device_message_number_seq')")[0][0])
    for name in WORKERS:
        hub.workers[name].terminate()
        hub.workers[name].wait()
    waiting = intruders.publish(hub, "s6.d6", intruders.topic(hub, "s6.d6"), intruders.event(1, '{"event":"waited"}', journal=77))
    dump, load, start = blocks("Back up and restore")
    operator.run(load)
    enrolled = state(hub, OLD)["revoked"] is False and not state(hub, NEW)
    report.check("a restored database has the enrolments of its dump", enrolled and hub.servers.sql("select count(*) from visit_key") == [["0"]])
    hub.hub("admin", "revoke", OLD)
    hub.hub("admin", "enrol", *hub.authority, NEW)
    operator.run(start)
    for name in WORKERS:
        hub.start_worker(name)
    # The run has other programs in place of the units.
    asked = (hub.logs / "systemctl").read_text()
    report.check("a restored hub stores what has waited", waiting and hub.wait_for(30, lambda: hub.servers.sql(
        "select count(*) from event where body::text like '%waited%'") == [["1"]]) is not None and "stop beaconmon-hub*" in asked)
    report.check("the broker refuses a device that was revoked again, and takes one that was enrolled again", not intruders.publish(
        hub, OLD, intruders.topic(hub, OLD)) and intruders.publish(hub, NEW, intruders.topic(hub, NEW)))
    report.check("the numbers of messages to devices do not come again",
                 int(hub.servers.sql("select nextval('device_message_number_seq')")[0][0]) > max(number, (time.time() - 600) * 1000))


def renew(operator, report):
    renew_device(operator, report)
    renew_hub(operator, report)


def run(operator, report):
    back_up(operator)
    change_password(operator, report)
    move(operator, report)
    restore_journal(operator, report)
    restore(operator, report)
