import ArgumentParser
import DBus

/// The options that select the daemon's bus.
struct BusOptions: ParsableArguments {
  @Flag(help: "Look for beaconmond on the system bus, as without any of these.")
  var system = false

  @Flag(help: "Look for it on the session bus.")
  var session = false

  @Option(help: ArgumentHelp("Look for it on the bus at this address.", valueName: "address"))
  var bus: String?

  func validate() throws {
    guard [system, session, bus != nil].count(where: \.self) <= 1 else {
      throw ValidationError("--bus, --session and --system exclude each other")
    }
  }

  /// Whether the command line selects a bus.
  var isChosen: Bool { system || session || bus != nil }

  var address: BusAddress {
    if let bus { return .explicit(bus) }
    return session ? .session : .system
  }
}
