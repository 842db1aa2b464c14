import ArgumentParser
import DBus

/// Which bus the daemon is on.
struct BusOptions: ParsableArguments {
  @Flag(help: "Look for beaconmond on the session bus.")
  var session = false

  @Option(help: ArgumentHelp("Look for it on the bus at this address.", valueName: "address"))
  var bus: String?

  func validate() throws {
    if session && bus != nil { throw ValidationError("--session and --bus exclude each other") }
  }

  var address: BusAddress {
    if let bus { return .explicit(bus) }
    return session ? .session : .system
  }
}
