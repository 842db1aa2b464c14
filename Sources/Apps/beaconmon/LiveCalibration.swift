import ArgumentParser
import BeaconAdvertising
import Beacons
import Captures
import ClientCommands
import DBus
import EventLoop
import Failures
import Instants
import MonitorConfiguration
import Ranging
import Setup
import SignalCalibration
import Terminal

/// The packets of the daemon for a calibration, at distances that its user types.
final class LiveCalibration: CalibrationMachine {
  private let bus: BusAddress
  private let configuration: Configuration
  private let write: (SignalCalibration, AdapterRoster) throws -> Void
  private let output = TerminalOutput.standardOutput
  private var roster = AdapterRoster()

  init(_ bus: BusAddress, _ configuration: Configuration, write: @escaping (SignalCalibration, AdapterRoster) throws -> Void) {
    (self.bus, self.configuration, self.write) = (bus, configuration, write)
  }

  func offset(ofAdapter adapter: UInt16) -> Double { configuration.rssiOffset(ofAdapterNamed: roster.name(of: adapter)) }

  func sightings(for time: Span) throws -> [Sighting]? {
    try DaemonPackets(CommandLink(bus), for: time).sightings(roster: &roster)
  }

  func show(_ calibration: SignalCalibration) throws {
    try output.write("\n" + CalibrationText(style: output.style, width: output.width).text(calibration, adapter: roster.name))
  }

  func write(_ calibration: SignalCalibration) throws { try write(calibration, roster) }

  /// Reports an interruption, and returns the status that ends the program.
  static func interruption() throws(OutputError) -> ExitCode {
    try TerminalOutput.standardOutput.write("\n")
    try TerminalOutput.standardError.write("beaconmon: interrupted; nothing was written\n")
    return ExitCode(130)
  }
}

extension Configuration {
  /// Returns the current offset in dB of an adapter.
  func rssiOffset(ofAdapterNamed name: String?) -> Double {
    let address = name.flatMap { BluetoothAddress($0) }
    return ranging.rssiOffset + (adapters.first { $0.address == address }?.rssiOffset ?? 0)
  }
}

/// The sightings in the packets that the daemon receives during some seconds, as in a recording.
final class DaemonPackets {
  /// The maximum number of octets of packets: minutes in a crowd.
  private static let limit = DataSize(octets: 64 << 20)
  /// The time limit, in milliseconds, for packets that are still in transit at the end.
  private static let patience: Int32 = 2000

  private let link: CommandLink
  private let sample: PacketSample
  private var reader: RecordingReader?

  init(_ link: CommandLink, for duration: Span) {
    self.link = link
    sample = PacketSample(link.loop, duration: duration)
    sample.onRequest = { [unowned self] in record() }
    sample.onEnd = { [link] in link.end($0) }
  }

  /// Returns the sightings; nil if a signal ended it.
  ///
  /// - Parameter roster: the settings of the adapters, and their numbers, which are the same in all calls.
  func sightings(roster: inout AdapterRoster) throws(Failure) -> [Sighting]? {
    let reader: RecordingReader
    do throws(SystemCallError) {
      reader = try RecordingReader(link.loop, onRecords: { _ in }, onEnd: { [sample] in sample.noteEnd() })
    } catch {
      throw Failure(.osError, "\(error)")
    }
    self.reader = reader
    reader.configure(roster.settings)
    reader.onSightings = { [sample] heard, _ in sample.take(heard) }
    try link.run { [sample] client in sample.begin(HearingCheck.question(client)) }
    if let failure = sample.failure(reason: reader.reason) { throw failure }
    guard sample.isComplete else { return nil }
    reader.stop(patience: Self.patience)
    var sightings = sample.sightings
    roster.renumber(&sightings, of: reader.roster)
    return sightings
  }

  private func record() {
    guard let reader else { return }
    let options = RecordingOptions(limitSize: Self.limit, duration: RecordingOptions.longestDuration)
    link.record(into: reader, options) { [sample] in sample.noteStart() }
  }
}
