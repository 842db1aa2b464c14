"""The interface of a Home Assistant core: onboarding, states, registries, and its log."""
import asyncio
import contextlib
import json

import aiohttp


class Core:
    def __init__(self, session, port, folder):
        self.session, self.url, self.folder = session, f"http://127.0.0.1:{port}", folder
        self.token = None

    async def post(self, path, json=None, data=None):
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        async with self.session.post(self.url + path, json=json, data=data, headers=headers) as answer:
            answer.raise_for_status()
            return await answer.json()

    async def wait(self, limit=60):
        """Waits until the core answers: without a token with 401."""
        async with asyncio.timeout(limit):
            while True:
                with contextlib.suppress(aiohttp.ClientError, asyncio.TimeoutError):
                    async with self.session.get(self.url + "/api/", timeout=aiohttp.ClientTimeout(total=2)) as answer:
                        if answer.status == 401:
                            return
                await asyncio.sleep(0.1)

    async def onboard(self, broker_port):
        """Creates the first user, and adds the broker.

        The other steps of the onboarding would load integrations that need the internet.
        """
        client = self.url + "/"
        user = {"client_id": client, "name": "Lab", "username": "lab", "password": "lab", "language": "en"}
        code = (await self.post("/api/onboarding/users", json=user))["auth_code"]
        tokens = await self.post("/auth/token", data={"grant_type": "authorization_code", "client_id": client, "code": code})
        self.token, self.refresh_token = tokens["access_token"], tokens["refresh_token"]
        flow = await self.post("/api/config/config_entries/flow", json={"handler": "mqtt"})
        settings = {"broker": "127.0.0.1", "port": broker_port}
        entry = await self.post(f"/api/config/config_entries/flow/{flow['flow_id']}", json=settings)
        if entry.get("type") != "create_entry":
            raise RuntimeError(f"the core does not connect to the broker: {entry}")
        # The core writes users and entries a second later.
        await asyncio.sleep(1.5)

    async def log_in(self):
        form = {"grant_type": "refresh_token", "client_id": self.url + "/", "refresh_token": self.refresh_token}
        self.token = None
        self.token = (await self.post("/auth/token", data=form))["access_token"]

    @contextlib.asynccontextmanager
    async def socket(self):
        async with self.session.ws_connect(self.url + "/api/websocket") as socket:
            await socket.receive_json()
            await socket.send_json({"type": "auth", "access_token": self.token})
            if (await socket.receive_json())["type"] != "auth_ok":
                raise RuntimeError("the core refuses the token")
            yield socket

    async def commands(self, *names):
        async with self.socket() as socket:
            results = []
            for number, name in enumerate(names, 1):
                await socket.send_json({"id": number, "type": name})
                results.append((await socket.receive_json())["result"])
            return results

    async def registries(self):
        """Returns the entities of MQTT with their registry entries by unique id without the id of the machine, and all devices."""
        entities, devices = await self.commands("config/entity_registry/list", "config/device_registry/list")
        return {short(entity["unique_id"]): entity for entity in entities if entity["platform"] in ("mqtt", "mqtt_room")}, devices

    async def states(self):
        """Returns state and attributes by the same ids."""
        entities, _ = await self.registries()
        headers = {"Authorization": f"Bearer {self.token}"}
        async with self.session.get(self.url + "/api/states", headers=headers) as answer:
            answer.raise_for_status()
            states = {state["entity_id"]: (state["state"], state["attributes"]) for state in await answer.json()}
        return {name: states[entity["entity_id"]] for name, entity in entities.items() if entity["entity_id"] in states}

    async def changes(self, seconds):
        """Returns the changes of states in the next seconds as automations see them: unique id, old state, new state."""
        names = {entity["entity_id"]: name for name, entity in (await self.registries())[0].items()}
        seen = []
        async with self.socket() as socket:
            await socket.send_json({"id": 1, "type": "subscribe_events", "event_type": "state_changed"})
            with contextlib.suppress(asyncio.TimeoutError):
                async with asyncio.timeout(seconds):
                    async for message in socket:
                        data = json.loads(message.data).get("event", {}).get("data", {})
                        old, new = ((data.get(key) or {}).get("state") for key in ("old_state", "new_state"))
                        if data.get("entity_id") in names and old != new:
                            seen.append((names[data["entity_id"]], old, new))
        return seen

    async def warnings(self):
        """Returns what the core has logged about MQTT at the level of a warning or above, except that connections were lost."""
        return [
            (entry["level"], entry["name"], entry["message"])
            for entry in (await self.commands("system_log/list"))[0]
            if "mqtt" in entry["name"] + entry["source"][0] and entry["level"] in ("WARNING", "ERROR", "CRITICAL")
            and not any("isconnected" in message or "Failed to connect" in message for message in entry["message"])
        ]


def short(unique_id):
    """Returns the part of an id behind the machine.

    beaconmon_MACHINE_anna_beacon becomes anna_beacon, and beaconmon_MACHINE-u1000_anna of a user's notifier becomes -u1000_anna.
    """
    if not unique_id.startswith("beaconmon_"):
        return unique_id
    _, machine, name = unique_id.split("_", 2)
    return f"-{machine.split('-', 1)[1]}_{name}" if "-" in machine else name
