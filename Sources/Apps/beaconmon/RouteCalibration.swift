import BeaconAdvertising
import Beacons
import Captures
import ClientCommands
import DBus
import EventLoop
import Failures
import MonitorConfiguration
import Scoring
import Setup
import SignalCalibration
import Terminal

/// The packets of the daemon for a calibration on a walk past stations of a venue.
final class RouteCalibration {
  private static let patience: Int32 = 500
  /// The maximum number of octets of packets: minutes in a crowd.
  private static let limit = DataSize(octets: 64 << 20)

  private let link: CommandLink
  private let configuration: Configuration
  private let write: (SignalCalibration, AdapterRoster) throws -> Void
  private let output = TerminalOutput.standardOutput
  private var reader: RecordingReader?
  private var lines: AnswerLines?
  private lazy var hearing = HearingCheck(link.loop)

  /// - Parameter write: Writes the result.
  init(
    _ bus: BusAddress, _ configuration: Configuration, write: @escaping (SignalCalibration, AdapterRoster) throws -> Void
  ) throws(Failure) {
    link = try CommandLink(bus)
    (self.configuration, self.write) = (configuration, write)
  }

  /// Walks and asks until the user has decided about the result.
  ///
  /// - Parameter height: of the receiver above the floor, in metres.
  func run(_ walk: StationWalk, height: Double) throws {
    let calibration = StationCalibration(
      link.loop, walk, height: height, target: CalibrationDropIn.name, self, SetupTerminal())
    calibration.onEnd = { [link] in link.end() }
    let reader: RecordingReader
    do throws(SystemCallError) {
      reader = try RecordingReader(
        link.loop, onRecords: { _ in }, onEnd: { [unowned self, unowned calibration] in calibration.noteEndOfPackets(self.reader?.reason) })
    } catch {
      throw Failure(.osError, "\(error)")
    }
    self.reader = reader
    reader.configure(configuration.adapters)
    reader.onSightings = { [unowned calibration] heard, _ in calibration.take(heard) }
    link.onPresenceChange = { [unowned calibration] in if !$0 { calibration.noteAbsence() } }
    try link.run { [unowned self] client in
      hearing.begin(client) { [unowned self] obstacle in
        if let obstacle { link.end(Failure(.unavailable, obstacle)) } else { record(calibration, reader) }
      }
    }
    lines = nil
    reader.stop(patience: Self.patience)
    switch calibration.end {
    case .decided: return
    case .failed(let error): throw error
    case nil: throw try LiveCalibration.interruption()
    }
  }

  private func record(_ calibration: StationCalibration, _ reader: RecordingReader) {
    link.record(into: reader, RecordingOptions(limitSize: Self.limit, duration: RecordingOptions.longestDuration)) { [unowned self] in
      calibration.begin()
      do throws(SystemCallError) {
        lines = try AnswerLines(link.loop) { calibration.take(SetupAnswer($0)) }
      } catch {
        calibration.fail(Failure(.osError, "standard input: \(error)"))
      }
    }
  }
}

extension RouteCalibration: CalibrationOutput {
  func offset(ofAdapter adapter: UInt16) -> Double { configuration.rssiOffset(ofAdapterNamed: reader?.roster.name(of: adapter)) }

  func show(_ calibration: SignalCalibration) throws {
    try output.write(
      "\n" + CalibrationText(style: output.style, width: output.width).text(calibration) { [reader] in reader?.roster.name(of: $0) })
  }

  func write(_ calibration: SignalCalibration) throws {
    if let reader { try write(calibration, reader.roster) }
  }
}
