import Failures
import ProgramSupport

@main enum Beaconmond {
  static let help = """
    Receives beacons, monitors regions, and serves other programs over D-Bus.

    Usage: beaconmond [--config FILE] [--source SOURCE] [--speed X] [--seed N] [--duration TIME]
                      [--system | --session | --bus ADDRESS]

      --config FILE           read this file instead of /etc/beaconmon/beaconmon.toml
      --source auto           use the Bluetooth adapters, as hci if permitted, otherwise as bluez; overrides source in the config
      --source bluez          receive through bluetoothd, without any privilege
      --source hci            receive every packet from the kernel; requires CAP_NET_RAW
      --source none           receive no beacons, on a device that only needs its location or heading
      --source capture:FILE   play a btsnoop capture, "-" for standard input
      --source simulator:FILE play a simulated venue, with the regions of the config
      --seed N                random seed of the scenario, 1 by default
      --duration TIME         play only this time of the scenario
      --speed X               multiple of the recorded speed, or "max" for as fast as possible
      --system                use the system bus; this is the default
      --session               use the session bus and ~/.config/beaconmon/beaconmon.toml
      --bus ADDRESS           use the bus at this address
      --version, --help

    Signals: HUP reloads the config, TERM and INT stop the program.

    Example: beaconmond --session --source capture:walk.btsnoop --speed 10

    """

  static func main() {
    Program.run("beaconmond") { () throws(Failure) in try run(Array(CommandLine.arguments.dropFirst())) }
  }

  private static func run(_ arguments: [String]) throws(Failure) -> ExitStatus {
    let flags = try Flags(
      arguments, valued: ["config", "source", "speed", "seed", "duration"] + Flags.busValued, plain: Flags.aboutPlain + Flags.busPlain,
      help: help)
    if flags.answerAbout("beaconmond", help: help) { return .ok }
    return try Daemon(Settings(flags)).run()
  }
}
