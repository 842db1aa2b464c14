import Motion
import Seeds
import Testing

@Suite struct MotionTextTests {
  @Test(arguments: [
    (DeviceMotion.unknown, "unknown"), (DeviceMotion(.still), "still"), (DeviceMotion(.moving, turn: -3.4), "moving turn=-3"),
    (DeviceMotion(.walking, cadence: 1.8461, turn: 0.4), "walking cadence=1.85 turn=0"),
    (DeviceMotion(.walking, cadence: 2), "walking cadence=2.0"),
  ])
  func `a motion has a text of one line`(motion: DeviceMotion, text: String) {
    #expect(motion.text == text)
    #expect(DeviceMotion(text: text) == motion.rounded)
  }

  @Test func `the text of a rounded motion is that motion`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let motion = DeviceMotion(
        [.unknown, .still, .walking, .moving].randomElement(using: &random) ?? .still,
        cadence: Bool.random(using: &random) ? Double.random(in: 0...20, using: &random) : nil,
        turn: Bool.random(using: &random) ? Double.random(in: -400...400, using: &random) : nil
      ).rounded
      #expect(motion == motion.rounded && DeviceMotion(text: motion.text) == motion)
    }
  }

  @Test func `values that are not numbers have no text`() {
    #expect(DeviceMotion(.walking, cadence: .nan, turn: .infinity).text == "walking")
    #expect(DeviceMotion(.walking, cadence: -1, turn: 1e300).text == "walking")
  }

  @Test func `values of later versions are ignored, and other texts are not a motion`() {
    #expect(DeviceMotion(text: "still lean=5") == DeviceMotion(.still))
    for text in ["", " ", "flying", "walking cadence", "walking cadence=", "walking cadence=nan", "walking cadence=-1", "moving turn=1e9"] {
      #expect(DeviceMotion(text: text) == nil, "\(text)")
    }
  }
}
