import ArgumentParser
import BeaconAdvertising
import Beacons
import BlueZ
import ClientCommands
import DBus
import EventLoop
import Failures
import Instants
import ProgramSupport
import Terminal

struct Advertise: GuidedCommand {
  static let nextStep = "\"uuidgen\" makes a UUID for a new venue"

  static let configuration = CommandConfiguration(
    abstract: "Advertise this device as a beacon through BlueZ, until Ctrl-C.",
    discussion: """
      Requires neither beaconmond nor any privilege. If bluetoothd restarts, or the adapter is unplugged, switched off or blocked, \
      advertising resumes as soon as it can. The beacon accepts no connections. For a permanent beacon, add [[advertise]] to the config.

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
    help: ArgumentHelp("Advertise with this adapter. Defaults to the first one that can.", valueName: "address"), transform: parseAddress)
  var adapter: BluetoothAddress?

  @Option(help: ArgumentHelp("Time between two advertisements, 100ms to 10s. Defaults to 100ms.", valueName: "time"), transform: Span.parse)
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

/// Sends one beacon and prints its state, across all failures of BlueZ.
final class BeaconSending {
  private let program: ProgramLoop
  private let advertiser: BlueZAdvertiser
  private let transmission: BeaconTransmission
  private let duration: Span?
  private let times: TimeOptions
  private let watch: AdvertisingWatch
  private let output = ScreenOutput()

  /// - Parameter duration: from the first advertisement; nil until Ctrl-C.
  init(_ transmission: BeaconTransmission, for duration: Span?, _ times: TimeOptions) throws(Failure) {
    self.times = times
    program = try ProgramLoop()
    self.transmission = transmission
    self.duration = duration
    watch = AdvertisingWatch(program.loop, duration: duration)
    do throws(DBusError) {
      advertiser = try BlueZAdvertiser(program.loop)
    } catch {
      throw Failure(.unavailable, error.message)
    }
  }

  func run() throws(Failure) {
    advertiser.onChange = { [unowned self] in follow($0) }
    watch.onWait = { ScreenOutput.note("\($0); waiting for it") }
    watch.onEnd = { [program] in program.end($0) }
    advertiser.transmissions = [transmission]
    try program.run()
  }

  private func follow(_ status: AdvertisingStatus) {
    switch status.state {
    case .starting: watch.note(.starting)
    case .advertising(let sender):
      say(status, sender)
      watch.note(.advertising)
    case .waiting(let obstacle): watch.note(.waiting(Failure(obstacle)))
    }
  }

  private func say(_ status: AdvertisingStatus, _ sender: AdvertisingStatus.Sender) {
    let beacon = transmission.beacon
    let power = transmission.transmitPower.map { ", transmit power \($0) dBm" } ?? ""
    let since = output.timeFormat(times).text(WallClock.time(of: status.since, on: program.loop))
    output.write(
      """
      advertising \(beacon.identity)
        \(beacon.measuredPower) dBm at 1 m, every \(sender.intervals.text)\(power)
        by \(sender.address) since \(since); \(duration.map { "for \($0.text), " } ?? "")Ctrl-C ends it

      """)
    for note in sender.notes { ScreenOutput.note(note) }
    if output.isClosed { program.end(output.failure) }
  }
}

extension ClosedRange<Span> {
  /// The text `100ms to 150ms`, or `1s`.
  fileprivate var text: String { lowerBound == upperBound ? lowerBound.text : "\(lowerBound.text) to \(upperBound.text)" }
}

extension Failure {
  fileprivate init(_ obstacle: AdvertisingObstacle) {
    switch obstacle {
    case .denied: self.init(.noPermission, "\(obstacle)")
    case .full: self.init(.temporaryFailure, "\(obstacle)")
    default: self.init(.unavailable, "\(obstacle)")
    }
  }
}
