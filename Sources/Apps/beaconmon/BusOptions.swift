import ArgumentParser
import DBus

/// The options that select the daemon's bus.
struct BusOptions: ParsableArguments {
  @Flag(help: "Use the daemon on the system bus; this is the default.")
  var system = false

  @Flag(help: "Use the daemon on the session bus.")
  var session = false

  @Option(help: ArgumentHelp("Use the daemon on the bus at this address.", valueName: "address"))
  var bus: String?

  func validate() throws {
    guard [system, session, bus != nil].count(where: \.self) <= 1 else {
      throw ValidationError("--bus, --session and --system cannot be combined")
    }
  }

  /// Whether the command line selects a bus.
  var isChosen: Bool { system || session || bus != nil }

  var address: BusAddress {
    if let bus { return .explicit(bus) }
    return session ? .session : .system
  }
}
