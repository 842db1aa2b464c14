import BeaconAdvertising
import Failures
import Instants
import Setup
import SignalCalibration

/// A user whose answers a test gives. The input ends after the last one.
final class FakeConsole: SetupConsole {
  var answers: [SetupAnswer] = []
  private(set) var texts: [String] = []
  /// The titles of the questions; in brackets if only the prompt was shown.
  private(set) var questions: [String] = []

  func ask(_ question: SetupQuestion, isRepeated: Bool) { questions.append(isRepeated ? "[\(question.title)]" : question.title) }
  func show(line: String) { texts.append(line) }
  func show(_ texts: [String]) { self.texts += texts }
  func nextAnswer() -> SetupAnswer { answers.isEmpty ? .end : answers.removeFirst() }
}

/// A receiver whose sightings a test gives, and the results that it shows and writes.
final class FakeCalibration: CalibrationMachine {
  /// The sightings of the next measurements; nil for an interruption.
  var heard: [[Sighting]?] = []
  /// The failures of the next writes.
  var failures: [any Error] = []
  var offset = 0.0
  private(set) var times: [Span] = []
  private(set) var shown: [SignalCalibration] = []
  private(set) var written: [SignalCalibration] = []

  func offset(ofAdapter adapter: UInt16) -> Double { offset }
  func sightings(for time: Span) -> [Sighting]? {
    times.append(time)
    return heard.removeFirst()
  }
  func show(_ calibration: SignalCalibration) { shown.append(calibration) }
  func write(_ calibration: SignalCalibration) throws {
    if !failures.isEmpty { throw failures.removeFirst() }
    written.append(calibration)
  }
}
