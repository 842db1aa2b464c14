"""The objects of a bluetoothd without a radio: adapters, devices, and their root.

Prints every call that an object gets, the monitor that it finds at an application, and the advertisement that it finds.
"""

import dbus.service

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
