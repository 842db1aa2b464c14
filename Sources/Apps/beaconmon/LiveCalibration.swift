import ArgumentParser
import BeaconAdvertising
import Beacons
import DBus
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
