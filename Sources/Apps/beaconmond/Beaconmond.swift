import Failures
import ProgramSupport

enum Beaconmond {
  static let help = """
    Hears beacons, watches regions, and tells other programs over D-Bus.

    Usage: beaconmond [--config FILE] [--source SOURCE] [--speed X] [--seed N] [--duration TIME]
                      [--system | --session | --bus ADDRESS]

      --config FILE           read this instead of /etc/beaconmon/beaconmon.toml
      --source auto           hear with the Bluetooth adapters, instead of the config's source: as hci where that is allowed, else as bluez
      --source bluez          hear through bluetoothd, without any privilege
      --source hci            hear packet by packet from the kernel, with CAP_NET_RAW
      --source none           listen for no beacons: a device that only knows where it is
      --source capture:FILE   play a btsnoop capture, "-" for standard input
      --source simulator:FILE play a simulated venue; the regions are those of the config
      --seed N                what chance begins with in a scenario, 1 unless told otherwise
      --duration TIME         only so much of a scenario
      --speed X               play it X times as fast as it was recorded; "max": as fast as it is read
      --system                use the system bus, as without any of these
      --session               use the session bus and ~/.config/beaconmon/beaconmon.toml
      --bus ADDRESS           use the bus at this address
      --version, --help

    Signals: HUP reads the config again, TERM and INT end it.

    Example: beaconmond --session --source capture:walk.btsnoop --speed 10

    """

  static func run(_ arguments: [String]) throws(Failure) -> ExitStatus {
    let flags = try Flags(
      arguments, valued: ["config", "source", "speed", "seed", "duration"] + Flags.busValued, plain: Flags.aboutPlain + Flags.busPlain,
      help: help)
    if flags.answerAbout("beaconmond", help: help) { return .ok }
    return try Daemon(Settings(flags)).run()
  }
}
