#!/usr/bin/gjs
// Prints the nearest beacon once a second. For gjs, the JavaScript of GNOME.

const { Gio, GLib } = imports.gi;

const NAME = 'org.beaconmon.Monitor1', ROOT = '/org/beaconmon/Monitor1';
const UUID = ARGV[0] ?? '8ec76ea3-6668-48da-9866-75be8bc86f4d';

const bus = Gio.bus_get_sync(Gio.BusType.SYSTEM, null);
const call = (path, iface, member, options) =>
    bus.call_sync(NAME, path, `${NAME}.${iface}`, member, new GLib.Variant('(a{sv})', [options]), null, 0, 300000, null).recursiveUnpack();

bus.signal_subscribe(NAME, `${NAME}.Session`, 'Ranged', null, null, Gio.DBusSignalFlags.NONE, (...signal) => {
    const [, , beacons] = signal[5].recursiveUnpack();
    print(beacons.length ? `${beacons[0].major}/${beacons[0].minor} ${beacons[0].proximity}` : 'nothing near');
});
const [session] = call(ROOT, 'Manager', 'CreateSession', { purpose: new GLib.Variant('s', 'Shows the exhibit you stand at') });
call(session, 'Session', 'StartRanging', { uuid: new GLib.Variant('s', UUID) });
new GLib.MainLoop(null, false).run();
