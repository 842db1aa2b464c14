#!/usr/bin/env python3
"""Prints the Python packages of the integrations that the lab loads, so that the core fetches nothing when it runs.

usage: the python of a venv with homeassistant  requirements.py
"""
import json
import pathlib

import homeassistant
from homeassistant.bootstrap import CORE_INTEGRATIONS, DEFAULT_INTEGRATIONS

INTEGRATIONS = pathlib.Path(homeassistant.__file__).parent / "components"
LOADED = {"api", "binary_sensor", "config", "device_tracker", "http", "mqtt", "mqtt_room", "sensor", "system_log", "websocket_api"}
# Imported without being named in a manifest: sensor and analytics import recorder, and mqtt imports camera, which imports stream.
IMPORTED = {"camera", "recorder", "stream"}

packages, done, open_names = set(), set(), LOADED | IMPORTED | set(CORE_INTEGRATIONS) | set(DEFAULT_INTEGRATIONS)
while open_names:
    name = open_names.pop()
    done.add(name)
    path = INTEGRATIONS / name / "manifest.json"
    if path.exists():
        manifest = json.loads(path.read_text())
        packages.update(manifest.get("requirements", []))
        open_names.update(set(manifest.get("dependencies", [])) - done)
print("\n".join(sorted(packages)))
