#!/usr/bin/env python3
"""Checks what a real Home Assistant core makes of the notifier's messages. Tests/HomeAssistant/run starts it.

usage: check.py VENV PROGRAMS FOLDER
Prints a line for each check, and at the end "home assistant: N passed, N failed". The exit status is 1 if a check failed.
"""
import asyncio
import json
import pathlib
import subprocess
import sys
import time

import aiohttp

from core import Core
from programs import Lab

VENV, PROGRAMS, FOLDER = (pathlib.Path(argument).absolute() for argument in sys.argv[1:4])
UUID = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
OFFICE = "B_c3_bcro_202_20_2f_20links"
TAG, DYING, CARRIED = f"{UUID}-2-1", f"{UUID}-2-7", f"{UUID}-1-5"
REGIONS = {"anna", "anna_beacon", OFFICE, OFFICE + "_beacon", "never", "never_beacon"}
BEACONS = 'beacons = true\nroom = "office"\naway-after = "10s"\nlocation = true'

passed = failed = 0


def check(sentence, holds, detail=""):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    print(f"ok {sentence}" if holds else f"not ok {sentence}: {detail}")


async def until(sentence, core, condition, limit=30):
    """Checks that a condition of the states holds soon, and returns the states."""
    begin, now = time.monotonic(), {}
    while time.monotonic() - begin < limit:
        try:
            now = await core.states()
            if condition(now):
                check(f"{sentence} ({time.monotonic() - begin:.1f} s)", True)
                return now
        except (aiohttp.ClientError, KeyError):
            pass  # the core starts, or the entity is not there yet
        await asyncio.sleep(0.2)
    check(sentence, False, {name: state for name, (state, _) in now.items()})
    return now


def state(now, name):
    return now.get(name, ("absent", {}))[0]


def are(**wanted):
    return lambda now: all(state(now, OFFICE if name == "office" else name) == value for name, value in wanted.items())


def known(name):
    return lambda now: state(now, name) not in ("absent", "unavailable", "unknown")


def between(least, value, most):
    try:
        return least < float(value) < most
    except ValueError:
        return False


def ours(now):
    """The entities whose availability is that of the system's notifier."""
    return {name: value for name, value in now.items() if name != "room" and not name.startswith("-u")}


def retained(lab, topic):
    """Returns the retained messages below a topic."""
    command = ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(lab.broker_port), "-t", topic, "-W", "1", "--retained-only", "-F", "%t %p"]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    return dict(line.split(" ", 1) for line in output.splitlines())


async def restart_core(lab, core):
    lab.stop("core")
    lab.start("core")
    await core.wait()
    await core.log_in()


async def regions(lab, core):
    now = await until("every region has two entities", core, lambda now: REGIONS <= set(now))
    entities, devices = await core.registries()
    check("the regions share one device", sum(device["model"] == "Beacon and region monitor" for device in devices) == 1, devices)
    await until("a visitor makes the region occupied, and its beacon is shown", core, are(anna="on", office="on", anna_beacon="1-5"), 60)
    now = await until("the region is free after the visit, and its beacon is none", core, are(anna="off", anna_beacon="none"), 60)
    check("the last event of a region is among its attributes", now["anna"][1].get("event") == "exit", now["anna"])
    check("a region without any sighting is unknown", state(now, "never") == "unknown", now["never"])
    check("a sensor without a beacon does not show the word None", state(now, "never_beacon") == "none", now["never_beacon"])


async def beacons(lab, core):
    now = await until("a beacon in range is at home", core, are(**{f"{TAG}_tracker": "home"}))
    now = await until("its readings arrive", core, lambda now: known(f"{TAG}_distance")(now) and known(f"{TAG}_rssi")(now), 10)
    distance = now[f"{TAG}_distance"]
    check("its distance is a number of metres", between(0.3, distance[0], 10) and distance[1]["unit_of_measurement"] == "m", distance)
    rssi = now[f"{TAG}_rssi"]
    check("its signal strength is a number in dBm", between(-90, rssi[0], -40) and rssi[1]["unit_of_measurement"] == "dBm", rssi)
    entities, devices = await core.registries()
    monitor = next(device for device in devices if device["model"] == "Beacon and region monitor")
    tag = next((device for device in devices if device["name"] == "Beacon 2-1"), {})
    check("each beacon is a device that belongs to the monitor", tag.get("via_device_id") == monitor["id"], tag)
    check("mqtt_room puts the beacon into the room of this device", state(now, "room") == "office", now.get("room"))
    tracker = now["location"]
    check("the location of the device is a tracker in the zone of its coordinates", tracker[0] == "home", tracker)
    check("the tracker has the accuracy in metres", tracker[1].get("gps_accuracy", 0) >= 1, tracker)
    changes = [name for name, _, _ in await core.changes(20) if name == f"{TAG}_distance"]
    check("a beacon changes its distance at most every four seconds", 1 <= len(changes) <= 6, changes)
    readings = retained(lab, "beaconmon/lab/beacon/+/state")
    check("no reading is retained", not readings, readings)
    await until("a beacon that is silent is not at home", core, are(**{f"{DYING}_tracker": "not_home"}), 60)


async def identities(lab, core):
    lab.config("personal")
    lab.start("personal")
    base = next(iter(retained(lab, "homeassistant/binary_sensor/+/anna/config"))).split("/")[2].removeprefix("beaconmon_")
    await asyncio.sleep(3)
    statuses = retained(lab, "beaconmon/+/status")
    check("two targets and the notifier of a user are connected to one broker at once", list(statuses.values()) == ["online"] * 3, statuses)
    check("none of them evicts another", "already connected, closing old connection" not in lab.log("broker"))
    check("the notifier of a user has topics of its own", any(topic.startswith(f"beaconmon/{base}-u") for topic in statuses), statuses)
    lab.stop("personal")
    await asyncio.sleep(1)
    now = await core.states()
    check("its end changes no entity of the system", "unavailable" not in {state(now, name) for name in REGIONS}, now)


async def restarts(lab, core):
    for action, done in (("kill", "killed"), ("stop", "stopped")):
        getattr(lab, action)("notifier")
        await until(f"every entity is unavailable while the notifier is {done}", core, lambda now: {v for v, _ in ours(now).values()} == {"unavailable"})
        lab.start("notifier")
        await until("they return with it", core, are(office="on", never="unknown", **{f"{TAG}_tracker": "home"}))
    lab.kill("daemon")
    await until("every entity is unavailable without the daemon", core, lambda now: {v for v, _ in ours(now).values()} == {"unavailable"})
    lab.start("daemon")
    await until("they return with it", core, are(office="on", never="unknown", **{f"{TAG}_tracker": "home"}))
    await until("a visitor comes to the new daemon", core, are(anna="on"), 60)

    before = {name: entity["entity_id"] for name, entity in (await core.registries())[0].items()}
    await restart_core(lab, core)
    now = await until("a restarted core has the states", core, are(office="on", never="unknown", **{f"{TAG}_tracker": "home"}))
    check("and the last events", "event" in now["anna"][1], now["anna"])
    after = {name: entity["entity_id"] for name, entity in (await core.registries())[0].items()}
    check("and the same entities", before == after, (before, after))

    # The notifier no longer has the events in its memory either.
    lab.stop("notifier")
    lab.stop("broker")
    lab.start("broker")
    lab.start("notifier")
    now = await until("a broker that lost everything receives the states again", core, are(office="on", never="unknown"), 120)
    # The core keeps attributes while a broker is away, so the broker itself is asked.
    events = retained(lab, "beaconmon/lab/region/+/event")
    check("and the last events", {f"beaconmon/lab/region/{name}/event" for name in ("anna", OFFICE)} <= set(events), events)


async def history(lab, core):
    await until("a visitor is there", core, are(anna="on"), 60)
    lab.stop("notifier")
    await asyncio.sleep(30)
    watch = asyncio.create_task(core.changes(4))
    await asyncio.sleep(0.5)
    lab.start("notifier")
    changes = [(old, new) for name, old, new in await watch if name == "anna"]
    present = state(await core.states(), "anna")
    check("an absence of 30 s ends with the present state alone", len(changes) <= 2 and {new for _, new in changes} <= {"unavailable", present}, changes)


async def reloads(lab, core):
    await until("all is available before a reload", core, are(office="on", **{f"{TAG}_tracker": "home"}))
    watch = asyncio.create_task(core.changes(4))
    await asyncio.sleep(0.5)
    lab.reload("notifier")
    changes = await watch
    check("a reload without a change makes no entity unavailable", not [c for c in changes if "unavailable" in c], changes)

    watch = asyncio.create_task(core.changes(6))
    await asyncio.sleep(0.5)
    lab.config("beaconmon", BEACONS=BEACONS, REGIONS='region = ["never", "Büro 2 / links"]')
    lab.reload("notifier")
    # The beacon that dies becomes unavailable by itself.
    others = [c for c in await watch if "unavailable" in c and not c[0].startswith(("anna", CARRIED, DYING))]
    check("a reload that removes a region makes no other entity unavailable", not others, others)
    await until("a region that is not sent any more is gone", core, lambda now: not {"anna", "anna_beacon", f"{CARRIED}_tracker"} & set(now))
    await asyncio.sleep(7)
    topics = retained(lab, "beaconmon/lab/region/anna/+")
    check("and its topics are cleared", not topics, topics)
    lab.config("beaconmon", BEACONS=BEACONS, REGIONS="")
    lab.reload("notifier")
    await until("it comes back", core, lambda now: "anna" in now and known("anna")(now))

    lab.stop("notifier")
    lab.config("beaconmon", BEACONS=f'beacons = [{{ name = "Keys", uuid = "{UUID}", major = 2, minor = 1 }}]\nbeacon-entities = ["tracker"]', REGIONS="")
    lab.start("notifier")
    await until("entities that a change of the config removed meanwhile are gone", core, lambda now: f"{TAG}_distance" not in now and f"{DYING}_tracker" not in now and "location" not in now)
    now = await until("a listed beacon has the entities that are listed", core, are(**{f"{TAG}_tracker": "home"}))
    devices = (await core.registries())[1]
    check("and its name", any(device["name"] == "Keys" for device in devices), devices)


async def silence(lab, core):
    await until("a sensor without readings becomes unavailable", core, are(**{f"{DYING}_distance": "unavailable"}), 90)


async def main():
    lab = Lab(VENV, PROGRAMS, FOLDER)
    begin = time.monotonic()
    try:
        lab.config("beaconmon", BEACONS=BEACONS, REGIONS="")
        for program in ("bus", "broker", "core"):
            lab.start(program)
        async with aiohttp.ClientSession() as session:
            core = Core(session, lab.core_port, FOLDER)
            await core.wait()
            await core.onboard(lab.broker_port)
            # mqtt_room looks for the broker when the core starts, and never again.
            await restart_core(lab, core)
            lab.start("daemon")
            lab.start("notifier")
            for part in (regions, beacons, identities, silence, restarts, history, reloads):
                await part(lab, core)
            warnings = await core.warnings()
            check("the core has logged neither an error nor a warning about a message", not warnings, json.dumps(warnings))
    except Exception as error:
        check("the checks run to their end", False, repr(error))
        raise
    finally:
        lab.end()
        print(f"   the checks took {time.monotonic() - begin:.0f} s, and their logs are in {FOLDER}")
        print(f"home assistant: {passed} passed, {failed} failed")
    sys.exit(failed > 0)


asyncio.run(main())
