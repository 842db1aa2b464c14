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
import ProgramSupport
import Scoring
import Setup
import SignalCalibration
import Terminal

/// A calibration with the packets of the daemon, on a walk past stations of a venue.
final class RouteCalibration {
  private static let patience: Int32 = 500
  /// The maximum number of octets of packets: minutes in a crowd.
  private static let limit = DataSize(octets: 64 << 20)

  private let link: CommandLink
  private let configuration: Configuration
  private let height: Double
  private let write: (SignalCalibration, AdapterRoster) throws -> Void
  private let output = TerminalOutput.standardOutput
  private let text: SetupText
  private var dialogue: StationDialogue
  private var sightings: [Sighting] = []
  private lazy var clock = PacketClock(link.loop)
  private var reader: RecordingReader?
  private var lines: AnswerLines?
  private var calibration: SignalCalibration?
  private var problem: (any Error)?
  private var isDone = false
  private lazy var hearing = HearingCheck(link.loop)

  /// - Parameters:
  ///   - height: of the receiver above the floor, in metres.
  ///   - write: Writes the result; its error is shown, and the question is asked again.
  init(
    _ bus: BusAddress, _ configuration: Configuration, _ walk: StationWalk, height: Double,
    write: @escaping (SignalCalibration, AdapterRoster) throws -> Void
  ) throws(Failure) {
    link = try CommandLink(bus)
    (self.configuration, self.height, self.write) = (configuration, height, write)
    text = SetupText(style: output.style, width: output.width)
    dialogue = StationDialogue(walk)
  }

  /// Walks and asks until the user has decided about the result.
  func run() throws {
    do throws(SystemCallError) {
      reader = try RecordingReader(link.loop, onRecords: { _ in }, onEnd: { [unowned self] in packetsEnded() })
    } catch {
      throw Failure(.osError, "\(error)")
    }
    reader?.configure(configuration.adapters)
    reader?.onSightings = { [unowned self] heard, _ in
      sightings += heard
      if let last = heard.last { clock.take(last.time) }
    }
    link.onPresenceChange = { [unowned self] in
      if !$0, calibration == nil { link.end(Failure(.unavailable, "beaconmond has stopped; start it, and walk again")) }
    }
    try link.run { [unowned self] client in
      hearing.begin(client) { [unowned self] obstacle in
        if let obstacle { link.end(Failure(.unavailable, obstacle)) } else { record() }
      }
    }
    lines = nil
    reader?.stop(patience: Self.patience)
    if let problem { throw problem }
    guard isDone else {
      try output.write("\n")
      try TerminalOutput.standardError.write("beaconmon: interrupted; nothing was written\n")
      throw ExitCode(130)
    }
  }

  private func record() {
    guard let reader else { return }
    link.record(into: reader, RecordingOptions(limitSize: Self.limit, duration: RecordingOptions.longestDuration)) { [unowned self] in
      attempt {
        try output.write(text.lines([dialogue.prompt]))
        lines = try AnswerLines(link.loop) { [unowned self] answer in attempt { try take(answer) } }
      }
    }
  }

  private func packetsEnded() {
    guard calibration == nil else { return }
    let reason = reader?.reason.map { ": \($0)" } ?? ""
    link.end(Failure(.unavailable, "beaconmond has ended the recording\(reason); walk again"))
  }

  /// Ends the program with the error of a step.
  private func attempt(_ step: () throws -> Void) {
    do { try step() } catch {
      problem = error
      link.end()
    }
  }

  private func take(_ answer: AnswerInput.Answer) throws {
    guard !isDone, problem == nil else { return }
    switch answer {
    case .interrupted: link.end()
    case .end: throw Failure(.noInput, "the input ended before the last answer; nothing was written")
    case .line(let line):
      switch dialogue.answer(line, at: clock.now) {
      case .next: try output.write(text.lines([dialogue.prompt]))
      case .refused(let remarks), .explained(let remarks): try output.write(text.lines(remarks))
      case .arrived(let times): try review(times)
      case .writes: try store()
      case .ends: try end("nothing was written\n")
      }
    }
  }

  private func review(_ times: [Instant]) throws {
    guard let reader else { return }
    let samples: [SignalSample]
    do throws(StationWalkError) {
      samples = try dialogue.walk.samples(of: sightings, at: times, height: height)
    } catch {
      throw Failure(.dataError, "\(error)")
    }
    let result = try Self.calibration(of: samples, reader.roster, configuration)
    calibration = result
    try output.write("\n" + CalibrationText(style: output.style, width: output.width).text(result, adapter: reader.roster.name))
    try result.requireValues()
    dialogue.review(target: CalibrationDropIn.name)
    try output.write(text.lines([dialogue.prompt]))
  }

  private func store() throws {
    guard let calibration, let reader else { return }
    do {
      try write(calibration, reader.roster)
    } catch let failure as Failure {
      return try output.write(
        text.lines(failure.description.split(separator: "\n").map(String.init) + ["y tries again, n writes nothing."]))
    }
    try end("")
  }

  private func end(_ remark: String) throws {
    isDone = true
    if !remark.isEmpty { try output.write(remark) }
    link.end()
  }

  /// Returns the calibration of signals on a route.
  static func calibration(
    of samples: [SignalSample], _ roster: AdapterRoster, _ configuration: Configuration
  ) throws(Failure) -> SignalCalibration {
    let fitted = SignalFit.calibration(of: samples) { configuration.rssiOffset(ofAdapterNamed: roster.name(of: $0)) }
    guard let fitted else {
      throw Failure(.dataError, "no beacon of the venue was heard on the route; check the venue file, or walk nearer to its beacons")
    }
    return fitted
  }
}

extension SignalCalibration {
  /// Throws if nothing was determined.
  func requireValues() throws(Failure) {
    guard exponent == nil, beacons.isEmpty else { return }
    throw Failure(.dataError, "the measurements do not suffice for a calibration, and nothing was written")
  }
}
