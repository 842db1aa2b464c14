public import BeaconAdvertising
import ClientCommands
public import Failures
import Instants
public import Scheduling
public import Scoring
public import SignalCalibration

/// A calibration on a walk past stations of a venue: packets and answers come as they arrive, until the user has decided.
///
/// If the daemon stops, the walk ends, because a part of it cannot be repeated. Once the result is shown, the daemon is not needed.
public final class StationCalibration {
  public enum End {
    /// The result is written, or the user has rejected it.
    case decided
    case failed(any Error)
  }

  /// The end; nil before it, and after an interruption.
  public private(set) var end: End?
  /// Receives the end, and an interruption.
  public var onEnd: () -> Void = {}

  private let output: any CalibrationOutput
  private let screen: any SetupScreen
  private let height: Double
  /// The name of the file that would be written.
  private let target: String
  private var dialogue: StationDialogue
  private var sightings: [Sighting] = []
  private var clock: PacketClock
  private var calibration: SignalCalibration?

  /// - Parameters:
  ///   - height: of the receiver above the floor, in metres.
  ///   - target: the name of the file that would be written.
  public init(
    _ scheduler: any Scheduler, _ walk: StationWalk, height: Double, target: String, _ output: any CalibrationOutput,
    _ screen: any SetupScreen
  ) {
    (self.height, self.target, self.output, self.screen) = (height, target, output, screen)
    clock = PacketClock(scheduler)
    dialogue = StationDialogue(walk)
  }

  /// Shows the first prompt. Call when the daemon sends its packets.
  public func begin() { attempt { try prompt() } }

  public func take(_ heard: [Sighting]) {
    sightings += heard
    if let last = heard.last { clock.take(last.time) }
  }

  public func take(_ answer: SetupAnswer) {
    guard end == nil else { return }
    attempt {
      switch answer {
      case .interrupted: onEnd()
      case .end: throw Failure(.noInput, "the input ended before the last answer; nothing was written")
      case .line(let line): try take(line)
      }
    }
  }

  /// Call when the daemon has stopped.
  public func noteAbsence() {
    if calibration == nil { fail(Failure(.unavailable, "beaconmond has stopped; start it, and walk again")) }
  }

  /// Call when no more packets will come.
  ///
  /// - Parameter reason: the words of the daemon; nil if it gave none.
  public func noteEndOfPackets(_ reason: String?) {
    guard calibration == nil else { return }
    fail(Failure(.unavailable, "beaconmond has ended the recording\(reason.map { ": \($0)" } ?? ""); walk again"))
  }

  /// Ends the calibration with an error of the command.
  public func fail(_ error: any Error) { finish(.failed(error)) }

  private func finish(_ end: End) {
    guard self.end == nil else { return }
    self.end = end
    onEnd()
  }

  private func attempt(_ step: () throws -> Void) {
    do { try step() } catch { fail(error) }
  }

  private func prompt() throws { try screen.show([dialogue.prompt]) }

  private func take(_ line: String) throws {
    switch dialogue.answer(line, at: clock.now) {
    case .next: try prompt()
    case .refused(let remarks), .explained(let remarks): try screen.show(remarks)
    case .arrived(let times): try review(times)
    case .writes: try write()
    case .ends:
      try screen.show(line: "nothing was written")
      finish(.decided)
    }
  }

  private func review(_ times: [Instant]) throws {
    let samples: [SignalSample]
    do throws(StationWalkError) {
      samples = try dialogue.walk.samples(of: sightings, at: times, height: height)
    } catch {
      throw Failure(.dataError, "\(error)")
    }
    let result = try SignalCalibration.onRoute(samples, offset: output.offset)
    calibration = result
    try output.show(result)
    try result.requireValues()
    dialogue.review(target: target)
    try prompt()
  }

  private func write() throws {
    guard let calibration else { return }
    do {
      try output.write(calibration)
    } catch let failure as Failure {
      return try screen.show(failure.paragraphs + ["y tries again, n writes nothing."])
    }
    finish(.decided)
  }
}

extension SignalCalibration {
  /// Returns the calibration of signals on a route; throws if no beacon of the venue was heard there.
  ///
  /// - Parameter offset: returns the current offset in dB of an adapter.
  public static func onRoute(_ samples: [SignalSample], offset: (UInt16) -> Double) throws(Failure) -> SignalCalibration {
    guard let fitted = SignalFit.calibration(of: samples, known: offset) else {
      throw Failure(.dataError, "no beacon of the venue was heard on the route; check the venue file, or walk nearer to its beacons")
    }
    return fitted
  }

  /// Throws if the measurements determine neither the exponent nor the power of a beacon.
  public func requireValues() throws(Failure) {
    guard exponent == nil, beacons.isEmpty else { return }
    throw Failure(.dataError, "the measurements do not suffice for a calibration, and nothing was written")
  }
}
