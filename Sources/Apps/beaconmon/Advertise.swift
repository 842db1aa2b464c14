import ArgumentParser
import BeaconAdvertising
import Instants

struct Advertise: GuidedCommand {
  static let nextStep = "\"uuidgen\" makes a UUID for a new venue"

  static let configuration = CommandConfiguration(
    abstract: "Make this device a beacon, through BlueZ, until Ctrl-C.",
    discussion: """
      It needs no beaconmond and no privilege. When bluetoothd restarts, or the adapter was unplugged, off or blocked, it goes on as soon as \
      that is over. Nobody can connect to the beacon. For a device that is always one, write [[advertise]] in the config.

      The measured power is what a receiver shows at 1 m: stand there with another device, read the dBm of `beaconmon range UUID`, \
      and give it here.

      Examples:
        beaconmon advertise 8ec76ea3-6668-48da-9866-75be8bc86f4d 1 5
        beaconmon advertise 8ec76ea3-6668-48da-9866-75be8bc86f4d 1 5 \\
          --measured-power -62 --duration 10m
      """)

  @Argument(help: "The UUID of the beacon, 8-4-4-4-12 hexadecimal digits.", transform: BeaconUUID.parse)
  var uuid: BeaconUUID

  @Argument(help: "Its major, 0 to 65535.", transform: UInt16.parse)
  var major: UInt16

  @Argument(help: "Its minor, 0 to 65535.", transform: UInt16.parse)
  var minor: UInt16

  // A value that begins with a hyphen is a value here.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The RSSI at 1 m that it tells receivers, -100 to -20.", valueName: "dBm"))
  var measuredPower = Int(BeaconTransmission.defaultMeasuredPower)

  @Option(
    help: ArgumentHelp("Send with this adapter; default: the first that can.", valueName: "address"), transform: parseAddress)
  var adapter: BluetoothAddress?

  @Option(help: ArgumentHelp("From one advertisement to the next, 100ms to 10s. Default: 100ms.", valueName: "time"), transform: Span.parse)
  var interval: Span?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Ask the adapter for this transmit power, -127 to 20; not every adapter obeys.", valueName: "dBm"))
  var transmitPower: Int?

  @Option(help: ArgumentHelp("End after this time, such as 10m.", valueName: "time"), transform: Span.parse)
  var duration: Span?

  @OptionGroup var times: TimeOptions

  func validate() throws {
    try check("--measured-power", measuredPower, in: BeaconTransmission.measuredPowers)
    if let transmitPower { try check("--transmit-power", transmitPower, in: BeaconTransmission.transmitPowers) }
    if let interval, !BeaconTransmission.intervals.contains(interval) {
      let range = BeaconTransmission.intervals
      throw ValidationError("--interval: \(interval.text) is not between \(range.lowerBound.text) and \(range.upperBound.text)")
    }
    if let duration, duration <= .zero { throw ValidationError("--duration: it must be longer than nothing") }
  }

  func run() throws {
    let beacon = IBeacon(
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
      throw ValidationError("\"\(text)\" is no adapter's address; write it as 00:1A:7D:DA:71:13, as \"bluetoothctl list\" shows it")
    }
    return address
  }
}
