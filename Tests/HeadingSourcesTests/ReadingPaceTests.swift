import EventLoop
import Headings
import Instants
import RealModule
import TestSupport
import Testing

@testable import HeadingSources

@Suite struct ReadingPaceTests {
  private static let usual = Span.milliseconds(40)

  private func sample(_ quantity: IIOQuantity, _ value: SpaceVector, at time: Instant) -> SensorSample {
    SensorSample(quantity: quantity, value: value, raw: value, time: time)
  }

  /// Returns the pace after samples of a device at rest, and the time of the last one.
  private func rest(for length: Span) -> (pace: ReadingPace, end: Instant) {
    var pace = ReadingPace()
    var time = Instant(microseconds: 100_000_000)
    let end = time + length
    while time < end {
      // The noise of a cheap chip.
      let noise = time.microseconds / 40_000 % 2 == 0 ? 0.6 : -0.6
      pace.take(sample(.rotation, [noise / 20, 0.01, 0], at: time))
      pace.take(sample(.acceleration, [0, noise / 10, 9.8], at: time))
      pace.take(sample(.field, [20, noise, -40], at: time))
      time = time + Self.usual
    }
    return (pace, end)
  }

  @Test func `sensors at rest for two seconds are read less often`() {
    #expect(ReadingPace().interval(Self.usual, at: Instant(microseconds: 100_000_000)) == Self.usual)
    let short = rest(for: .milliseconds(1900))
    #expect(short.pace.interval(Self.usual, at: short.end) == Self.usual)
    let long = rest(for: .seconds(3))
    #expect(long.pace.interval(Self.usual, at: long.end) == .milliseconds(60))
  }

  @Test(arguments: [
    (IIOQuantity.field, SpaceVector(20, 4, -40)), (.acceleration, SpaceVector(0.6, 0, 9.8)), (.rotation, SpaceVector(0, 0.2, 0)),
  ])
  func `a magnet, a push or a turn restores the pace with its first sample`(quantity: IIOQuantity, value: SpaceVector) {
    var (pace, end) = rest(for: .seconds(3))
    pace.take(sample(quantity, value, at: end))
    #expect(pace.interval(Self.usual, at: end) == Self.usual)
  }

  @Test func `a slow turn is not rest`() {
    var (pace, time) = rest(for: .seconds(3))
    for step in 0..<200 {
      // Three degrees a second.
      let angle = Double(step) * 0.12 * .pi / 180
      pace.take(sample(.field, [40 * Double.cos(angle), 40 * Double.sin(angle), -40], at: time))
      time = time + Self.usual
      if step > 0, step % 100 == 0 { #expect(pace.interval(Self.usual, at: time) == Self.usual) }
    }
  }

  @Test func `a clock that goes back begins a new rest`() {
    var (pace, end) = rest(for: .seconds(3))
    pace.take(sample(.field, [20, 0, -40], at: Instant(microseconds: 5_000_000)))
    #expect(pace.interval(Self.usual, at: Instant(microseconds: 6_000_000)) == Self.usual)
    #expect(pace.interval(Self.usual, at: end) == .milliseconds(60))
  }

  @Test func `samples at rest wait for others, and all others wake the loop at once`() throws {
    let (loop, exchange) = (try Loop(), try SensorExchange())
    var taken: [Int] = []
    let source = try exchange.source(on: loop) { taken.append(exchange.take().samples.count) }
    let field = sample(.field, [20, 0, -40], at: Instant(microseconds: 1))
    func add(_ count: Int, failure: Int32? = nil, areAtRest: Bool = true) throws {
      for _ in 0..<count { exchange.add([field], errors: failure.map { [.field: $0] } ?? [:], areAtRest: areAtRest) }
      // The kernel reports the wake-up in the next turn of the loop.
      try loop.run(for: .milliseconds(5))
    }
    try add(3)
    #expect(taken.isEmpty)
    try add(1)
    #expect(taken == [4])
    try add(2)
    try add(1, areAtRest: false)
    #expect(taken == [4, 3])
    try add(1, failure: 5)
    #expect(taken == [4, 3, 1])
    _ = source
  }
}
