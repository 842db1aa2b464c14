public import BeaconAdvertising
public import Beacons
import Failures
public import Instants
import Scoring
public import SignalCalibration

/// The result of a calibration as its user sees it, and its file.
public protocol CalibrationOutput: AnyObject {
  /// Returns the current offset in dB of an adapter, by its number in the sightings.
  func offset(ofAdapter adapter: UInt16) -> Double
  func show(_ calibration: SignalCalibration) throws
  /// Writes the result. A `Failure` is shown, and the user can try again.
  func write(_ calibration: SignalCalibration) throws
}

/// The receiver of a calibration at places that its user types.
public protocol CalibrationMachine: CalibrationOutput {
  /// Returns the sightings of a time that begins now; nil if a signal ended it.
  func sightings(for time: Span) throws -> [Sighting]?
}

/// A calibration at distances that its user types: the search for beacons, the questions, the measurements, and the file.
public final class CalibrationRun {
  private struct Interruption: Error {}

  /// The longest time of the search for beacons.
  static let searchTime = Span.seconds(3)

  private let machine: any CalibrationMachine
  private let console: any SetupConsole
  /// The time of one measurement.
  private let duration: Span

  public init(_ machine: any CalibrationMachine, _ console: any SetupConsole, measuringFor duration: Span) {
    (self.machine, self.console, self.duration) = (machine, console, duration)
  }

  /// Asks and measures until the user has decided about the result.
  ///
  /// Throws a `Failure` if no wanted beacon is in range, or the input ends before the decision.
  ///
  /// - Parameters:
  ///   - target: the name of the file that would be written.
  ///   - isWanted: whether a beacon is offered as a choice.
  public func run(target: String, isWanted: (BeaconIdentity) -> Bool) throws -> SetupEnd {
    do {
      try converse(target, isWanted)
      return .finished
    } catch is Interruption {
      return .interrupted
    }
  }

  private func converse(_ target: String, _ isWanted: (BeaconIdentity) -> Bool) throws {
    let found = try sightings(for: min(duration, Self.searchTime), "looking for beacons").filter { isWanted($0.beacon) }
    let levels = Dictionary(grouping: found, by: \.beacon).mapValues { $0.compactMap { $0.rssi.map(Double.init) } }
    guard !levels.isEmpty else { throw Failure(.unavailable, "no such beacon is in range; \"beaconmon scan\" lists those that are") }
    // The numbers of adapters do not change, so their offsets can be read now.
    let offsets = Dictionary(uniqueKeysWithValues: (0..<UInt16(AdapterRoster.most)).map { ($0, machine.offset(ofAdapter: $0)) })
    var dialogue = CalibrationDialogue(
      levels.map { .init($0, rssi: $1.isEmpty ? nil : $1.reduce(0, +) / Double($1.count)) }, target: target
    ) { offsets[$0] ?? 0 }
    var isRepeated = false
    while true {
      try console.ask(dialogue.question, isRepeated: isRepeated)
      isRepeated = true
      switch dialogue.answer(try line()) {
      case .next: isRepeated = false
      case .refused(let lines), .explained(let lines): try console.show(lines)
      case .measures(let beacon, let distance):
        let heard = try sightings(for: duration, "measuring, stand still").filter { $0.beacon == beacon }
        try console.show(dialogue.measured(SignalSample.samples(of: heard, at: distance), of: beacon, at: distance))
        isRepeated = false
      case .reviews(let calibration):
        try machine.show(calibration)
        isRepeated = false
      case .writes(let calibration):
        do {
          return try machine.write(calibration)
        } catch let failure as Failure {
          try console.show(failure.paragraphs + ["y tries again."])
        }
      case .ends: return try console.show(line: "nothing was written")
      }
    }
  }

  private func sightings(for time: Span, _ purpose: String) throws -> [Sighting] {
    try console.show(line: "\(purpose) for \(time.text) ...")
    guard let sightings = try machine.sightings(for: time) else { throw Interruption() }
    return sightings
  }

  private func line() throws -> String {
    switch try console.nextAnswer() {
    case .line(let line): return line
    case .end: throw Failure(.noInput, "the input ended before the last answer; nothing was written")
    case .interrupted: throw Interruption()
    }
  }
}

extension Failure {
  /// The lines of a failure, each as a paragraph.
  var paragraphs: [String] { description.split(separator: "\n").map(String.init) }
}
