public import Beacons
public import SignalCalibration

/// The questions of a calibration at places that its user types, and the measurements so far.
///
/// The dialogue is a value: lines and measurements go in, questions and replies come out.
public struct CalibrationDialogue {
  /// A beacon that was heard before.
  public struct Candidate: Hashable, Sendable {
    public var beacon: BeaconIdentity
    /// The RSSI in dBm; nil if it is unknown.
    public var rssi: Double?

    public init(_ beacon: BeaconIdentity, rssi: Double?) {
      (self.beacon, self.rssi) = (beacon, rssi)
    }
  }

  /// The effect of an answer.
  public enum Reply: Hashable, Sendable {
    case next
    case refused([String])
    case explained([String])
    /// The signal of the beacon is to be measured at this distance in metres, for `measured`.
    case measures(BeaconIdentity, Double)
    /// The result is to be shown, and the question whether to write it follows.
    case reviews(SignalCalibration)
    case writes(SignalCalibration)
    case ends
  }

  private struct Measurement {
    var beacon: BeaconIdentity
    var distance: Double
    var samples: [SignalSample]

    var packets: Int { samples.reduce(0) { $0 + $1.packets } }
    var rssi: Double { samples.reduce(0) { $0 + $1.rssi * Double($1.packets) } / Double(max(1, packets)) }
  }

  private enum Step {
    case beacon
    case distance
    case review(SignalCalibration)
  }

  private let candidates: [Candidate]
  private let known: @Sendable (UInt16) -> Double
  /// The name of the file that would be written.
  private let target: String
  private var measurements: [Measurement] = []
  private var beacon: BeaconIdentity?
  private var step = Step.beacon

  /// - Parameters:
  ///   - candidates: the beacons in range; a single one is chosen without a question.
  ///   - target: the name of the file that would be written.
  ///   - known: returns the current offset in dB of an adapter.
  public init(_ candidates: [Candidate], target: String, known: @escaping @Sendable (UInt16) -> Double) {
    self.candidates = candidates.sorted { ($0.rssi ?? -.infinity, $1.beacon) > ($1.rssi ?? -.infinity, $0.beacon) }
    (self.target, self.known) = (target, known)
    if candidates.count == 1 { (beacon, step) = (candidates[0].beacon, .distance) }
  }

  /// Whether a measurement would be lost if the dialogue ended now.
  public var hasMeasurements: Bool { !measurements.isEmpty }

  // MARK: Questions

  private static let mostChoices = 12

  public var question: SetupQuestion {
    switch step {
    case .beacon:
      let shown = candidates.prefix(Self.mostChoices)
      return SetupQuestion(
        "Beacon", "Which beacon do you stand at? The strongest first:",
        choices: shown.map { "\($0.beacon.major)/\($0.beacon.minor)\($0.rssi.map { ", \(Int($0.rounded())) dBm" } ?? "")" },
        standard: "1",
        help:
          "Hold the receiver at the height and in the case of its final mounting. Type a number of the list, or major/minor of "
          + "another beacon "
          + "in range. Other beacons can follow.")
    case .distance:
      let next = beacon.map { suggestion(for: $0) } ?? nil
      return SetupQuestion(
        "Distance", "Stand still, and type the metres to beacon \(label):", facts: facts, standard: next.map(Self.text) ?? "done",
        help:
          "From 0.25 to 100, measured with a tape from the receiver to the beacon. 1, 4, 2 and 8 m show the power of the beacon and "
          + "how fast the "
          + "signal fades. A distance that is typed again is measured again. \"beacon\" changes to another beacon, and \"done\" shows "
          + "the result."
      )
    case .review:
      return SetupQuestion(
        "Write", "Write \(target)?", standard: "y",
        help: "y writes it and keeps the previous one as \(target).old, n writes nothing, and \"back\" measures more.")
    }
  }

  private var label: String { beacon.map { "\($0.major)/\($0.minor)" } ?? "" }

  private var facts: [String] {
    measurements.map { measurement in
      let name = measurement.beacon == beacon ? "" : "\(measurement.beacon.major)/\(measurement.beacon.minor) at "
      let level = (measurement.rssi * 10).rounded() / 10
      return "\(name)\(Self.text(measurement.distance)) m: \(level) dBm, \(measurement.packets) packets"
    }
  }

  private var calibration: SignalCalibration? { SignalFit.calibration(of: measurements.flatMap(\.samples), known: known) }

  private func suggestion(for beacon: BeaconIdentity) -> Double? {
    SignalCalibration.nextDistance(after: measurements.filter { $0.beacon == beacon }.map(\.distance), calibration)
  }

  private static func text(_ distance: Double) -> String { distance == distance.rounded() ? "\(Int(distance))" : "\(distance)" }

  // MARK: Answers

  public mutating func answer(_ line: String) -> Reply {
    let words = line.trimmed
    guard let text = words.isEmpty ? question.standard : words else { return .refused(["type an answer; ? explains the question"]) }
    switch text.lowercased() {
    case "?", "help": return .explained([question.help, "\"quit\" ends without a change."])
    case "quit": return .ends
    case "back": return goBack()
    default: break
    }
    switch step {
    case .beacon: return choose(text)
    case .distance: return measure(text)
    case .review(let calibration):
      switch text.lowercased() {
      case "y", "yes": return .writes(calibration)
      case "n", "no": return .ends
      default: return .refused(["type y or n"])
      }
    }
  }

  private mutating func goBack() -> Reply {
    switch step {
    case .beacon: return .refused(["this is the first question"])
    case .distance where candidates.count == 1: return .refused(["this is the first question"])
    case .distance: step = .beacon
    case .review: step = .distance
    }
    return .next
  }

  private mutating func choose(_ text: String) -> Reply {
    let found: Candidate?
    if text.contains("/") {
      let matches = candidates.filter { "\($0.beacon.major)/\($0.beacon.minor)" == text }
      guard matches.count < 2 else { return .refused(["several beacons are \(text); start with --uuid"]) }
      found = matches.first
    } else {
      found = Int(text).flatMap { (1...min(candidates.count, Self.mostChoices)).contains($0) ? candidates[$0 - 1] : nil }
    }
    guard let found else { return .refused(["\"\(text)\" is not a beacon in range; type a number of the list, or major/minor"]) }
    (beacon, step) = (found.beacon, .distance)
    return .next
  }

  private mutating func measure(_ text: String) -> Reply {
    guard let beacon else { return .next }
    if text.lowercased() == "beacon", candidates.count > 1 {
      step = .beacon
      return .next
    }
    if text.lowercased() == "done" { return review() }
    let number = text.lowercased().hasSuffix("m") ? String(text.dropLast()).trimmed : text
    guard let distance = Double(number.replacing(",", with: ".")), SignalSample.distances.contains(distance) else {
      return .refused(["\"\(text)\" is not a distance of 0.25 to 100 m; measure it with a tape"])
    }
    return .measures(beacon, distance)
  }

  private mutating func review() -> Reply {
    guard let calibration else { return .refused(["nothing is measured yet; stand at 1 m first"]) }
    guard calibration.exponent != nil || !calibration.beacons.isEmpty else {
      return .refused(["the measurements do not suffice; stay near beacon \(label) for longer, with --listen 60s"])
    }
    step = .review(calibration)
    return .reviews(calibration)
  }

  /// Takes a measurement, and returns remarks about it and about missing distances.
  ///
  /// - Parameter samples: the samples of the beacon at the distance; empty if it was not heard.
  public mutating func measured(_ samples: [SignalSample], of beacon: BeaconIdentity, at distance: Double) -> [String] {
    guard !samples.isEmpty else {
      return [
        "Beacon \(beacon.major)/\(beacon.minor) was not heard there, and nothing was added. Is it "
          + "on?"
      ]
    }
    let isRepeated = measurements.contains { $0.beacon == beacon && $0.distance == distance }
    measurements.removeAll { $0.beacon == beacon && $0.distance == distance }
    let new = Measurement(beacon: beacon, distance: distance, samples: samples)
    measurements.append(new)
    var lines = isRepeated ? ["\(Self.text(distance)) m was measured before; this measurement replaces it."] : []
    if new.packets < Self.fewPackets {
      lines.append("Only \(new.packets) packets were heard at \(Self.text(distance)) m, so that this place counts little.")
    }
    if let next = suggestion(for: beacon) {
      lines.append(
        "\(calibration?.exponent == nil ? "The distances do not suffice yet" : "The fading is still uncertain"): add "
          + "\(Self.text(next)) m.")
    } else if calibration?.exponent != nil {
      lines.append("The distances suffice. More of them make the result more certain; \"done\" shows it.")
    }
    return lines
  }

  private static let fewPackets = 20
}
