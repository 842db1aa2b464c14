import Beacons
import Seeds
import Setup
import SignalCalibration
import Testing

@Suite struct CalibrationDialogueTests {
  private static func beacon(_ minor: UInt16) -> BeaconIdentity {
    BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: minor)
  }

  private func dialogue(_ count: UInt16 = 1) -> CalibrationDialogue {
    CalibrationDialogue((1...count).map { .init(Self.beacon($0), rssi: -50 - Double($0)) }, target: "calibration.toml") { _ in 0 }
  }

  /// Answers a distance, and measures a room with an exponent of 2.5 and a beacon that is 3 dB weak there.
  private func stand(_ dialogue: inout CalibrationDialogue, _ line: String, _ random: inout SeededGenerator, packets: Int = 200) -> [String]
  {
    guard case .measures(let beacon, let distance) = dialogue.answer(line) else { return ["refused"] }
    let noise = (0..<packets).reduce(0.0) { sum, _ in sum + 4 * random.normal() } / Double(packets)
    let level = -62 - 25 * log10(distance) + noise
    return dialogue.measured(
      [SignalSample(beacon: beacon, power: -59, distance: distance, rssi: level, packets: packets)], of: beacon, at: distance)
  }

  private func log10(_ value: Double) -> Double {
    // Powers of two are enough here.
    var (value, result) = (value, 0.0)
    while value > 1 { (value, result) = (value / 2, result + 0.301029995663981) }
    return result
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `the suggested distances give exponent and power of a simulated room`(seed: UInt64) throws {
    var (dialogue, random) = (dialogue(), SeededGenerator(seed: seed))
    var distances: [String] = []
    while let next = dialogue.question.standard, next != "done", distances.count < 6 {
      distances.append(next)
      _ = stand(&dialogue, "", &random)
    }
    // Each distance once, and an end.
    #expect(distances == Array(["1", "4", "2", "8", "16"].prefix(distances.count)) && distances.count >= 3, "\(distances)")
    guard case .reviews(let calibration) = dialogue.answer("done") else { return #expect(Bool(false)) }
    #expect(abs(try #require(calibration.exponent).value - 2.5) <= 0.2)
    #expect(abs(try #require(calibration.beacons.first).power.value - -62) <= 1)
    #expect(dialogue.answer("") == .writes(calibration))
  }

  @Test(arguments: ["0", "-1", "0.2", "101", "nan", "inf", "near", "1m2"]) func `an impossible distance is refused`(text: String) {
    var dialogue = dialogue()
    #expect(dialogue.answer(text) == .refused(["\"\(text)\" is not a distance of 0.25 to 100 m; measure it with a tape"]))
    #expect(!dialogue.hasMeasurements)
  }

  @Test func `a single distance does not suffice, and the missing one is named`() {
    var (dialogue, random) = (dialogue(), SeededGenerator(seed: 1))
    #expect(dialogue.answer("done") == .refused(["nothing is measured yet; stand at 1 m first"]))
    #expect(stand(&dialogue, "1", &random) == ["The distances do not suffice yet: add 4 m."])
    #expect(dialogue.question.standard == "4")
    #expect(
      stand(&dialogue, "1 m", &random) == [
        "1 m was measured before; this measurement replaces it.", "The distances do not suffice yet: add 4 m.",
      ])
    #expect(dialogue.question.facts.count == 1)
    // Its power is known all the same.
    guard case .reviews(let calibration) = dialogue.answer("done") else { return #expect(Bool(false)) }
    #expect(calibration.exponent == nil && calibration.beacons.count == 1)
    #expect(dialogue.answer("back") == .next && dialogue.question.title == "Distance")
    #expect(dialogue.answer("quit") == .ends)
  }

  @Test func `a silent beacon adds nothing, and few packets are named`() {
    var (dialogue, random) = (dialogue(), SeededGenerator(seed: 1))
    #expect(dialogue.measured([], of: Self.beacon(1), at: 1) == ["Beacon 1/1 was not heard there, and nothing was added. Is it on?"])
    #expect(!dialogue.hasMeasurements)
    #expect(stand(&dialogue, "1", &random, packets: 3).first == "Only 3 packets were heard at 1 m, so that this place counts little.")
    #expect(dialogue.answer("done") == .refused(["the measurements do not suffice; stay near beacon 1/1 for longer, with --listen 60s"]))
  }

  @Test func `several beacons are chosen from a list, the strongest first`() {
    var (dialogue, random) = (dialogue(20), SeededGenerator(seed: 1))
    #expect(dialogue.question.choices.count == 12 && dialogue.question.choices[0] == "1/1, -51 dBm")
    #expect(dialogue.answer("13") == .refused(["\"13\" is not a beacon in range; type a number of the list, or major/minor"]))
    #expect(dialogue.answer("back") == .refused(["this is the first question"]))
    #expect(dialogue.answer("1/19") == .next)
    #expect(dialogue.question.text == "Stand still, and type the metres to beacon 1/19:")
    _ = stand(&dialogue, "1", &random)
    #expect(dialogue.answer("beacon") == .next)
    _ = dialogue.answer("2")
    #expect(dialogue.question.facts.count == 1 && dialogue.question.facts[0].hasPrefix("1/19 at 1 m: "))
    #expect(dialogue.question.standard == "1")
    guard case .explained(let lines) = dialogue.answer("?") else { return #expect(Bool(false)) }
    #expect(lines.count == 2)
  }
}
