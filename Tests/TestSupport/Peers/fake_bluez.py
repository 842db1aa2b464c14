"""A bluetoothd without a radio: usage: fake_bluez.py ADDRESS

Does what standard input says, one command a line, answered by the line "done":
    own                             becomes org.bluez: whatever there is now is listed, and not signalled
    add HCI ADDRESS [nomonitor] [noadvertising] [offload] [extended] [parameters] [off]
                                    an adapter is plugged in, powered; with "offload" its controller matches monitors by itself
    remove HCI
    power HCI on|off|blocked
    discovering HCI on|off
    remember HCI DEVICE RSSI HEX    a device that GetManagedObjects lists
    device HCI DEVICE RSSI HEX      a device appears, with Apple's data
    report HCI DEVICE RSSI HEX      it is heard again; "-" for no RSSI
    other HCI DEVICE RSSI HEX       the same with the data of company 0x0059
    rssi HCI DEVICE RSSI            its RSSI changes, its data does not
    rename HCI DEVICE NAME
    companion HCI DEVICE bonded|connected on|off
    found HCI DEVICE                the monitor is told that it was heard
    forget HCI DEVICE
    release HCI                     lets go of the monitor
    unadvertise HCI                 lets go of every advertisement
    fail METHOD ERROR COUNT         the next calls of METHOD answer org.bluez.Error.ERROR
Prints every call it gets, the monitor that it finds at the application it is given, and the advertisement that it finds.
"""

import os
import sys

import dbus.bus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

ADAPTER, DEVICE = "org.bluez.Adapter1", "org.bluez.Device1"
MONITOR, MANAGER = "org.bluez.AdvertisementMonitor1", "org.bluez.AdvertisementMonitorManager1"
ADVERTISEMENT, ADVERTISING = "org.bluez.LEAdvertisement1", "org.bluez.LEAdvertisingManager1"
OBJECTS, PROPERTIES = "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Properties"

failures = {}
objects = {}


def say(*words):
    print(*words, flush=True)


def fail_if_told(method):
    if failures.get(method):
        name = failures[method].pop()
        raise dbus.exceptions.DBusException(f"told to fail {method}", name=f"org.bluez.Error.{name}")


def failed(message):
    return dbus.exceptions.DBusException(message, name="org.bluez.Error.Failed")


class Node(dbus.service.Object):
    def __init__(self, bus, path, interfaces):
        super().__init__(bus, path)
        self.path, self.interfaces = path, interfaces
        objects[path] = self

    def drop(self):
        del objects[self.path]
        self.remove_from_connection()

    def change(self, interface, **properties):
        self.interfaces[interface].update(properties)
        self.PropertiesChanged(interface, properties, [])

    @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    @dbus.service.method(PROPERTIES, in_signature="ssv")
    def Set(self, interface, name, value):
        say("Set", self.name, name, int(value))
        fail_if_told("Set")
        self.set_power(bool(value))


class Adapter(Node):
    def __init__(self, bus, name, address, options):
        is_on = "off" not in options
        properties = {"Address": address, "Powered": is_on, "PowerState": "on" if is_on else "off", "Discovering": False}
        monitors = {"SupportedFeatures": dbus.Array(["controller-patterns"] if "offload" in options else [], signature="s")}
        advertising = {"ActiveInstances": dbus.Byte(0)}
        if "extended" in options:
            advertising["SupportedSecondaryChannels"] = ["1M", "2M"]
        if "parameters" in options:
            advertising["SupportedFeatures"] = ["CanSetTxPower"]
        interfaces = {ADAPTER: properties, MANAGER: monitors, ADVERTISING: advertising}
        for lack, kind in [("nomonitor", MANAGER), ("noadvertising", ADVERTISING)]:
            if lack in options:
                del interfaces[kind]
        super().__init__(bus, f"/org/bluez/{name}", interfaces)
        self.bus, self.name, self.session, self.application = bus, name, None, None
        self.advertisements = []

    def set_power(self, powered, state=None):
        if not powered and self.session:
            self.session = None
            self.change(ADAPTER, Discovering=False)
        self.change(ADAPTER, Powered=powered, PowerState=state or ("on" if powered else "off"))

    @dbus.service.method(ADAPTER, in_signature="a{sv}")
    def SetDiscoveryFilter(self, values):
        say("SetDiscoveryFilter", self.name, *(f"{key}={values[key]}" for key in sorted(values)))
        fail_if_told("SetDiscoveryFilter")

    @dbus.service.method(ADAPTER, sender_keyword="sender")
    def StartDiscovery(self, sender):
        say("StartDiscovery", self.name)
        fail_if_told("StartDiscovery")
        if not self.interfaces[ADAPTER]["Powered"]:
            raise dbus.exceptions.DBusException("Resource Not Ready", name="org.bluez.Error.NotReady")
        if self.session == sender:
            raise dbus.exceptions.DBusException("Operation already in progress", name="org.bluez.Error.InProgress")
        self.session = sender
        self.change(ADAPTER, Discovering=True)

    @dbus.service.method(ADAPTER)
    def StopDiscovery(self):
        say("StopDiscovery", self.name)
        fail_if_told("StopDiscovery")
        if not self.session:
            raise failed("No discovery started")
        self.session = None
        self.change(ADAPTER, Discovering=False)

    @dbus.service.method(MANAGER, in_signature="o", sender_keyword="sender", async_callbacks=("reply", "error"))
    def RegisterMonitor(self, path, sender, reply, error):
        say("RegisterMonitor", self.name)
        try:
            fail_if_told("RegisterMonitor")
        except dbus.exceptions.DBusException as reason:
            return error(reason)

        def found(tree):
            for place, interfaces in tree.items():
                monitor = interfaces[MONITOR]
                pattern = ",".join(f"{int(offset)}:{kind:02x}:{bytes(octets).hex()}" for offset, kind, octets in monitor["Patterns"])
                say("monitor", self.name, monitor["Type"], pattern, *(key for key in monitor if key not in ("Type", "Patterns")))
                self.application = (sender, place)
            reply()

        application = self.bus.get_object(sender, path, introspect=False)
        application.GetManagedObjects(dbus_interface=OBJECTS, reply_handler=found, error_handler=error)

    @dbus.service.method(MANAGER, in_signature="o")
    def UnregisterMonitor(self, path):
        say("UnregisterMonitor", self.name)
        self.release()

    @dbus.service.method(ADVERTISING, in_signature="oa{sv}", sender_keyword="sender", async_callbacks=("reply", "error"))
    def RegisterAdvertisement(self, path, options, sender, reply, error):
        say("RegisterAdvertisement", self.name)
        try:
            fail_if_told("RegisterAdvertisement")
        except dbus.exceptions.DBusException as reason:
            return error(reason)

        def found(values):
            if (sender, path) in self.advertisements:
                return error(dbus.exceptions.DBusException("Already Exists", name="org.bluez.Error.AlreadyExists"))
            data = " ".join(f"{company:04x}:{bytes(octets).hex()}" for company, octets in values["ManufacturerData"].items())
            rest = " ".join(f"{name}={int(values[name])}" for name in ("MinInterval", "MaxInterval", "TxPower") if name in values)
            say("advertisement", self.name, values["Type"], data, rest)
            self.advertisements.append((sender, path))
            self.count_advertisements()
            reply()

        advertisement = self.bus.get_object(sender, path, introspect=False)
        advertisement.GetAll(ADVERTISEMENT, dbus_interface=PROPERTIES, reply_handler=found, error_handler=error)

    @dbus.service.method(ADVERTISING, in_signature="o", sender_keyword="sender")
    def UnregisterAdvertisement(self, path, sender):
        say("UnregisterAdvertisement", self.name)
        if (sender, path) not in self.advertisements:
            raise dbus.exceptions.DBusException("Does Not Exist", name="org.bluez.Error.DoesNotExist")
        self.advertisements.remove((sender, path))
        self.count_advertisements()

    def count_advertisements(self):
        self.change(ADVERTISING, ActiveInstances=dbus.Byte(len(self.advertisements)))

    def unadvertise(self):
        for sender, path in self.advertisements:
            self.bus.get_object(sender, path, introspect=False).Release(dbus_interface=ADVERTISEMENT, ignore_reply=True)
        self.advertisements = []

    def release(self):
        if self.application:
            sender, path = self.application
            self.application = None
            self.bus.get_object(sender, path, introspect=False).Release(dbus_interface=MONITOR, ignore_reply=True)


class Device(Node):
    def __init__(self, bus, adapter, name, rssi=None, data=None):
        super().__init__(bus, f"{adapter.path}/dev_{name}", {DEVICE: {"Address": name.replace("_", ":"), "Paired": False, "Connected": False}})
        self.interfaces[DEVICE].update(heard(rssi, data))

    @dbus.service.method(DEVICE)
    def Connect(self):
        say("Connect")

    @dbus.service.method(DEVICE)
    def Pair(self):
        say("Pair")


class Root(dbus.service.Object):
    @dbus.service.method(OBJECTS, out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        return {path: node.interfaces for path, node in objects.items()}

    @dbus.service.signal(OBJECTS, signature="oa{sa{sv}}")
    def InterfacesAdded(self, path, interfaces):
        pass

    @dbus.service.signal(OBJECTS, signature="oas")
    def InterfacesRemoved(self, path, interfaces):
        pass


def heard(rssi=None, data=None, company=0x4C):
    properties = {}
    if rssi not in (None, "-"):
        properties["RSSI"] = dbus.Int16(int(rssi))
    if data:
        octets = dbus.Array(bytes.fromhex(data), signature="y", variant_level=1)
        properties["ManufacturerData"] = dbus.Dictionary({dbus.UInt16(company): octets}, signature="qv")
    return properties


class Commands:
    def __init__(self, bus):
        self.bus, self.root = bus, Root(bus, "/")

    def adapter(self, name):
        return objects[f"/org/bluez/{name}"]

    def of(self, name, device):
        return objects[f"/org/bluez/{name}/dev_{device}"]

    def own(self):
        self.name = dbus.service.BusName("org.bluez", self.bus, do_not_queue=True)

    def add(self, name, address, *options):
        node = Adapter(self.bus, name, address, options)
        self.root.InterfacesAdded(node.path, node.interfaces)

    def remove(self, name):
        node = self.adapter(name)
        for path in [path for path in objects if path.startswith(node.path + "/")]:
            self.root.InterfacesRemoved(path, [DEVICE])
            objects[path].drop()
        node.set_power(False)
        node.release()
        node.unadvertise()
        self.root.InterfacesRemoved(node.path, list(node.interfaces))
        node.drop()

    def power(self, name, state):
        self.adapter(name).set_power(state == "on", "off-blocked" if state == "blocked" else None)

    def discovering(self, name, state):
        node = self.adapter(name)
        node.session = node.session if state == "on" else None
        node.change(ADAPTER, Discovering=state == "on")

    def remember(self, name, *device):
        Device(self.bus, self.adapter(name), *device)

    def device(self, name, *device):
        node = Device(self.bus, self.adapter(name), *device)
        self.root.InterfacesAdded(node.path, node.interfaces)

    def report(self, name, device, rssi, data):
        self.of(name, device).change(DEVICE, **heard(rssi, data))

    def other(self, name, device, rssi, data):
        self.of(name, device).change(DEVICE, **heard(rssi, data, company=0x59))

    def rssi(self, name, device, rssi):
        self.of(name, device).change(DEVICE, **heard(rssi))

    def rename(self, name, device, text):
        self.of(name, device).change(DEVICE, Name=text)

    def companion(self, name, device, what, state):
        self.of(name, device).change(DEVICE, **{{"bonded": "Paired", "connected": "Connected"}[what]: state == "on"})

    def forget(self, name, device):
        node = self.of(name, device)
        self.root.InterfacesRemoved(node.path, [DEVICE])
        node.drop()

    def found(self, name, device):
        sender, path = self.adapter(name).application
        monitor = self.bus.get_object(sender, path, introspect=False)
        monitor.DeviceFound(dbus.ObjectPath(self.of(name, device).path), dbus_interface=MONITOR, ignore_reply=True)

    def release(self, name):
        self.adapter(name).release()

    def unadvertise(self, name):
        self.adapter(name).unadvertise()

    def fail(self, method, error, count):
        failures[method] = [error] * int(count)


DBusGMainLoop(set_as_default=True)
connection = dbus.bus.BusConnection(sys.argv[1])
commands = Commands(connection)
loop = GLib.MainLoop()


rest = b""


def obey(channel, condition):
    global rest
    octets = os.read(channel, 65536)
    if not octets:
        loop.quit()
        return False
    *lines, rest = (rest + octets).split(b"\n")
    for line in lines:
        command, *words = line.decode().split()
        getattr(commands, command)(*words)
        connection.flush()
        say("done")
    return True


GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, obey)
loop.run()
