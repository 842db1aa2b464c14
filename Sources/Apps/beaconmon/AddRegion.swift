import ArgumentParser
import Beacons
import ConfigurationTree
import Instants

struct AddBeacon: GuidedCommand {
  static let nextStep = "\"beaconmon scan\" lists the UUIDs of the beacons in range"

  static let configuration = CommandConfiguration(
    commandName: "beacon",
    abstract: "Append a region of beacons to the config.",
    discussion: """
      Appends a [[region]]: one beacon, or all beacons of a UUID, or of a UUID and a major. The rest of the file stays as it is, and the \
      file does not change if the result would be invalid. `systemctl reload beaconmond` applies it.

      Examples:
        beaconmon region add beacon shop 8ec76ea3-6668-48da-9866-75be8bc86f4d
        beaconmon region add beacon door 8ec76ea3-6668-48da-9866-75be8bc86f4d \\
          1 5 --within 3 --exit-delay 30s
      """)

  @Argument(help: "The identifier of the region in events.")
  var name: String

  @Argument(help: "The UUID of the beacons, 8-4-4-4-12 hexadecimal digits.", transform: BeaconUUID.parse)
  var uuid: BeaconUUID

  @Argument(help: "The major of the beacons, 0 to 65535.", transform: UInt16.parse)
  var major: UInt16?

  @Argument(help: "The minor of the beacon, 0 to 65535.", transform: UInt16.parse)
  var minor: UInt16?

  @Option(help: ArgumentHelp("Enter only within this distance, 0.1 to 100.", valueName: "metres"))
  var within: Double?

  @Option(help: ArgumentHelp("Exit after this time without the beacons, 1s to 1h.", valueName: "time"), transform: Span.parse)
  var exitDelay: Span?

  @Option(help: ArgumentHelp("Send a dwell event after a stay of this length, such as 10m.", valueName: "time"), transform: Span.parse)
  var dwell: Span?

  @OptionGroup var options: EditedConfig

  func run() throws {
    var values: [String: ConfigurationNode.Value] = ["identifier": .text(name), "uuid": .text("\(uuid)")]
    if let major { values["major"] = .integer(Int(major)) }
    if let minor { values["minor"] = .integer(Int(minor)) }
    if let within { values["within"] = .number(within) }
    if let exitDelay { values["exitDelay"] = .text(exitDelay.text) }
    if let dwell { values["dwell"] = .text(dwell.text) }
    try options.add(values, named: name)
  }
}

struct AddCircle: GuidedCommand {
  static let nextStep = "\"beaconmon locate\" shows the latitude and longitude of this device"

  static let configuration = CommandConfiguration(
    commandName: "circle",
    abstract: "Append a circle on the earth to the config.",
    discussion: """
      Appends a [[region]]. The rest of the file stays as it is, and the file does not change if the result would be invalid. \
      `systemctl reload beaconmond` applies it.

      Examples:
        beaconmon region add circle shop \\
          --latitude 48.137154 --longitude 11.57549 --radius 150
        beaconmon region add circle mall \\
          --latitude -33.8688 --longitude 151.2093 --radius 400 \\
          --scan-only-near --dwell 10m
      """)

  @Argument(help: "The identifier of the region in events.")
  var name: String

  // A value that begins with a hyphen is a value here.
  @Option(parsing: .unconditional, help: ArgumentHelp("The latitude of the center, positive north.", valueName: "degrees"))
  var latitude: Double

  @Option(parsing: .unconditional, help: ArgumentHelp("The longitude of the center, positive east.", valueName: "degrees"))
  var longitude: Double

  @Option(parsing: .unconditional, help: ArgumentHelp("The radius, 1 to 20000000.", valueName: "metres"))
  var radius: Double

  @Option(help: ArgumentHelp("Send a dwell event after a stay of this length, such as 10m.", valueName: "time"), transform: Span.parse)
  var dwell: Span?

  @Flag(help: "Scan for beacons only near this circle.")
  var scanOnlyNear = false

  @OptionGroup var options: EditedConfig

  func run() throws {
    var values: [String: ConfigurationNode.Value] = [
      "identifier": .text(name), "latitude": .number(latitude), "longitude": .number(longitude), "radius": .number(radius),
      "scanOnlyNear": .flag(scanOnlyNear),
    ]
    if let dwell { values["dwell"] = .text(dwell.text) }
    try options.add(values, named: name)
  }
}
