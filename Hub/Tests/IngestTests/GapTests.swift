import Ingest
import Instants
import Testing

@Suite struct GapTests {
  /// The digests of a device that sends one in five seconds.
  private final class Traffic { var sent: Int64 = 0 }

  private let bench = Bench()
  private let traffic = Traffic()

  /// Sends digests, and lets time pass in which another device keeps the queue busy.
  ///
  /// Returns the times of the new subscriptions in seconds.
  private func run(_ sequences: [Int64], journal: UInt64 = 1, for span: Span) throws -> [Int] {
    for sequence in sequences { bench.send(Bench.digest(sequence, floor: sequence, journal: journal)) }
    let start = bench.clock.uptime
    var closes: [Int] = []
    while bench.clock.uptime < start + span {
      bench.source.calls = []
      if bench.clock.seconds >= Double(traffic.sent * 5) {
        traffic.sent += 1
        bench.send(Bench.digest(traffic.sent, journal: 99))
      }
      let now = bench.clock.uptime
      try bench.session.step()
      closes += bench.source.calls.filter { $0 == "close \(Bench.queue)" }.map { _ in Int((now - start).seconds) }
    }
    return closes
  }

  @Test("a queue in which a number stays missing is subscribed to again, at most once a minute")
  func pauses() throws {
    #expect(try run([1, 2, 3], for: .seconds(12)) == [])
    // The missing number arrives late.
    #expect(try run([5, 4], for: .seconds(12)) == [])
    #expect(try run([7], for: .seconds(12)) == [10])
    // A number that is missing during the pause is watched after it.
    #expect(try run([9, 6], for: .seconds(12)) == [])
    #expect(try run([], for: .seconds(60)) == [46])
    #expect(try run([8], for: .seconds(400)) == [])
    #expect(bench.session.ownedQueues.contains(Bench.queue))
  }

  @Test("a number that stays missing is checked five times, whatever the floor of the device is")
  func repeats() throws {
    let times = try run([1, 3], for: .seconds(1300))
    #expect(times.count == 5 && zip(times, [10, 70, 190, 430, 730]).allSatisfy { abs($0 - $1) <= 1 }, "\(times)")
  }

  @Test("a second number in the first seconds is noticed although the first one arrives")
  func several() throws {
    #expect(try run([1, 3], for: .seconds(2)) == [])
    #expect(try run([1, 3], journal: 2, for: .seconds(2)) == [])
    #expect(try run([2], for: .seconds(10)) == [8])
  }

  @Test("the numbers of a queue that are watched are limited")
  func limit() throws {
    // Each second number of 17 streams is missing, so that the last ones are not watched.
    for journal: UInt64 in 1...17 { _ = try run((0..<5).map { 1 + 2 * $0 }, journal: journal, for: .milliseconds(100)) }
    for journal: UInt64 in 1...16 { _ = try run((0..<4).map { 2 + 2 * $0 }, journal: journal, for: .milliseconds(100)) }
    #expect(try run([], for: .seconds(30)) == [])
  }

  @Test("a device that leaves every second number out does not keep a gap of another one from being watched")
  func hostile() throws {
    _ = try run((0..<70).map { 1 + 2 * $0 }, for: .milliseconds(500))
    _ = try run([1, 3], journal: 2, for: .milliseconds(500))
    // All gaps of the first device are filled, and only that of the other one is missing.
    #expect(try run((0..<69).map { 2 + 2 * $0 }, for: .seconds(12)).count == 1)
  }
}
