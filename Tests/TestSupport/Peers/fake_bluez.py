"""A bluetoothd without a radio: usage: fake_bluez.py ADDRESS

Does what standard input says, one command a line, answered by the line "done":
    own                             becomes org.bluez: the present objects are listed, and not signalled
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
    found HCI DEVICE                the monitor reports that it was heard
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
from bluez_objects import ADAPTER, DEVICE, MONITOR, Adapter, Device, Root, failures, heard, objects, say
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib


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
