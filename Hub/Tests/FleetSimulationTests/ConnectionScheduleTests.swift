import Instants
import Testing

@testable import FleetSimulation

@Suite struct ConnectionScheduleTests {
  private static let start = Instant(microseconds: 5_000_000)

  /// Returns the seconds until the next attempt, to a millisecond; nil if there is none within a minute.
  private func wait(_ schedule: inout ConnectionSchedule, from now: Instant) -> Double? {
    var random = SystemRandomNumberGenerator()
    for step in 0...60_000 {
      let time = now + .milliseconds(Int64(step))
      if schedule.takeAttempt(at: time, using: &random) { return Double(step) / 1000 }
    }
    return nil
  }

  @Test("the first attempt is at its time, and goes to the next node")
  func first() {
    var schedule = ConnectionSchedule(after: 3, from: Self.start)
    #expect(wait(&schedule, from: Self.start - .seconds(2)) == 2)
    #expect(schedule.node == 4 && schedule.attempts == 1 && !schedule.isUp)
  }

  @Test("a refused connection is tried again at another node after 0.5 to 1.5 seconds")
  func refusal() throws {
    for _ in 0..<20 {
      var schedule = ConnectionSchedule(after: 0, from: Self.start)
      _ = wait(&schedule, from: Self.start)
      schedule.noteEnd()
      let pause = try #require(wait(&schedule, from: Self.start))
      #expect((0.5...1.5).contains(pause) && schedule.node == 2)
    }
  }

  @Test("a connection that was accepted stays, and one that is lost begins again after 0.1 to 0.5 seconds")
  func loss() throws {
    for _ in 0..<20 {
      var schedule = ConnectionSchedule(after: 0, from: Self.start)
      _ = wait(&schedule, from: Self.start)
      schedule.noteAccepted()
      #expect(wait(&schedule, from: Self.start) == nil)
      #expect(schedule.isUp)
      schedule.noteEnd()
      let pause = try #require(wait(&schedule, from: Self.start + .seconds(100)))
      #expect((0.1...0.5).contains(pause) && !schedule.isUp)
    }
  }

  @Test("a node that does not answer is given up after 15 seconds")
  func silence() throws {
    var schedule = ConnectionSchedule(after: 0, from: Self.start)
    _ = wait(&schedule, from: Self.start)
    let pause = try #require(wait(&schedule, from: Self.start))
    #expect((15...15.1).contains(pause))
  }

  @Test("a connection that is cut begins again after the pause")
  func cut() {
    var schedule = ConnectionSchedule(after: 0, from: Self.start)
    _ = wait(&schedule, from: Self.start)
    schedule.noteAccepted()
    schedule.cut(at: Self.start, for: .seconds(4))
    #expect(!schedule.isUp)
    #expect(wait(&schedule, from: Self.start) == 4)
  }
}
