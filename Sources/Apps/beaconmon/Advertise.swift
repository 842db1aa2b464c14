import ArgumentParser
import BeaconAdvertising
import Beacons
import Instants

struct Advertise: GuidedCommand {
  static let nextStep = "\"uuidgen\" makes a UUID for a new venue"

  static let configuration = CommandConfiguration(
    abstract: "Advertise this device as a beacon through BlueZ, until Ctrl-C.",
    discussion: """
      Requires neither beaconmond nor any privilege. If bluetoothd restarts, or the adapter is unplugged, switched off or blocked, advertising \
      resumes as soon as it can. The beacon accepts no connections. For a permanent beacon, add [[advertise]] to the config.

      To measure the power at 1 m, run `beaconmon range UUID` on another device at that distance, and read the dBm.

      Examples:
        beaconmon advertise 8ec76ea3-6668-48da-9866-75be8bc86f4d 1 5
        beaconmon advertise 8ec76ea3-6668-48da-9866-75be8bc86f4d 1 5 \\
          --measured-power -62 --duration 10m
      """)

  @Argument(help: "The UUID of the beacon, 8-4-4-4-12 hexadecimal digits.", transform: BeaconUUID.parse)
  var uuid: BeaconUUID

  @Argument(help: "The major of the beacon, 0 to 65535.", transform: UInt16.parse)
  var major: UInt16

  @Argument(help: "The minor of the beacon, 0 to 65535.", transform: UInt16.parse)
  var minor: UInt16

  // A value that begins with a hyphen is a value here.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The RSSI at 1 m, which the beacon advertises, -100 to -20.", valueName: "dBm"))
  var measuredPower = Int(BeaconTransmission.defaultMeasuredPower)

  @Option(
    help: ArgumentHelp("Advertise with this adapter. Default: the first one that can.", valueName: "address"), transform: parseAddress)
  var adapter: BluetoothAddress?

  @Option(help: ArgumentHelp("Time between two advertisements, 100ms to 10s. Default: 100ms.", valueName: "time"), transform: Span.parse)
  var interval: Span?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Request this transmit power, -127 to 20; some adapters ignore it.", valueName: "dBm"))
  var transmitPower: Int?

  @Option(help: ArgumentHelp("Stop after this time, such as 10m.", valueName: "time"), transform: Span.parse)
  var duration: Span?

  @OptionGroup var times: TimeOptions

  func validate() throws {
    try check("--measured-power", measuredPower, in: BeaconTransmission.measuredPowers)
    if let transmitPower { try check("--transmit-power", transmitPower, in: BeaconTransmission.transmitPowers) }
    if let interval, !BeaconTransmission.intervals.contains(interval) {
      let range = BeaconTransmission.intervals
      throw ValidationError("--interval: \(interval.text) is not between \(range.lowerBound.text) and \(range.upperBound.text)")
    }
    if let duration, duration <= .zero { throw ValidationError("--duration: must be greater than zero") }
  }

  func run() throws {
    let beacon = BeaconPayload(
      identity: BeaconIdentity(uuid: uuid, major: major, minor: minor), measuredPower: Int8(clamping: measuredPower))
    let transmission = BeaconTransmission(
      beacon, adapter: adapter, interval: interval ?? BeaconTransmission.defaultInterval,
      transmitPower: transmitPower.map { Int8(clamping: $0) })
    try BeaconSending(transmission, for: duration, times).run()
  }

  private func check(_ option: String, _ power: Int, in range: ClosedRange<Int>) throws {
    guard !range.contains(power) else { return }
    throw ValidationError("\(option): \(power) dBm is not between \(range.lowerBound) and \(range.upperBound)")
  }

  private static func parseAddress(_ text: String) throws -> BluetoothAddress {
    guard let address = BluetoothAddress(text) else {
      throw ValidationError(
        "\"\(text)\" is not an adapter address, such as 00:1A:7D:DA:71:13; \"bluetoothctl list\" shows those of this machine")
    }
    return address
  }
}
