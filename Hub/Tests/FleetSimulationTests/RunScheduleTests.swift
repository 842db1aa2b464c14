import Instants
import Testing

@testable import FleetSimulation

@Suite struct RunScheduleTests {
  private static let start = Instant(microseconds: 5_000_000)

  /// A schedule of 20 seconds, with its clock.
  private final class Run {
    private(set) var schedule = RunSchedule(.seconds(20), at: start)

    func stop() { schedule.stop() }

    /// Returns the phase so many seconds after the start.
    func phase(_ seconds: Double, missing: Int = 0, waiting: Int = 0) -> RunSchedule.Phase {
      schedule.advance(to: start + .seconds(seconds), missing: missing, waiting: waiting)
    }

    func takesKeepAliveCheck(_ seconds: Double) -> Bool { schedule.takeKeepAliveCheck(at: start + .seconds(seconds)) }

    func takesSummary(_ seconds: Double) -> Bool { schedule.takeSummary(at: start + .seconds(seconds)) }

    func messageTime(_ seconds: Double) -> Double? {
      schedule.messageTime(at: start + .seconds(seconds)).map { Double($0.microseconds) / 1e6 }
    }
  }

  @Test("the devices publish when all are connected, and their clock of messages begins then")
  func publishing() {
    let run = Run()
    #expect(run.phase(0, missing: 2, waiting: 2) == .connecting && run.messageTime(0) == nil)
    #expect(run.phase(3, missing: 1) == .connecting && run.schedule.connectingTime == nil)
    #expect(run.phase(7) == .publishing && run.messageTime(7) == 0)
    // A later loss of connections does not begin again.
    #expect(run.phase(12, missing: 2) == .publishing && run.messageTime(12) == 5)
    #expect(run.schedule.connectingTime == .seconds(7))
    #expect(run.phase(26.9) == .publishing)
  }

  @Test("after two minutes the devices publish without those that are not connected")
  func lateStart() {
    let run = Run()
    #expect(run.phase(119.9, missing: 1) == .connecting)
    #expect(run.phase(120, missing: 1) == .publishing && run.messageTime(121) == 1)
  }

  @Test("the run ends when everything is acknowledged after its length")
  func end() {
    let run = Run()
    _ = run.phase(0)
    #expect(run.phase(10, waiting: 0) == .publishing)
    #expect(run.phase(20, waiting: 3) == .draining && run.messageTime(20) == nil)
    #expect(run.phase(30, missing: 2, waiting: 1) == .draining)
    #expect(run.phase(30.1, missing: 2) == .over)
    #expect(run.phase(31, waiting: 1) == .over)
  }

  @Test("the devices wait a minute for acknowledgements")
  func longEnd() {
    let run = Run()
    _ = run.phase(0)
    #expect(run.phase(79.9, waiting: 1) == .draining)
    #expect(run.phase(80, waiting: 1) == .over)
  }

  @Test("a stop ends the connecting or the publishing, and the wait for acknowledgements is not longer")
  func stop() {
    let early = Run()
    _ = early.phase(0, missing: 1)
    early.stop()
    #expect(early.phase(5, missing: 1, waiting: 1) == .draining && early.schedule.connectingTime == .seconds(5))
    #expect(early.phase(65, missing: 1, waiting: 1) == .over)
    let late = Run()
    _ = late.phase(0)
    late.stop()
    #expect(late.phase(5, waiting: 1) == .draining)
    #expect(late.phase(64, waiting: 1) == .draining)
    #expect(late.phase(65, waiting: 1) == .over)
  }

  @Test("keep-alive messages are checked each second from the start, and a summary is due each five seconds of publishing")
  func intervals() {
    let run = Run()
    _ = run.phase(0, missing: 1)
    var (checks, summaries) = (0, 0)
    for step in 0..<100 {
      if step == 50 { _ = run.phase(5) }
      if run.takesKeepAliveCheck(Double(step) / 10) { checks += 1 }
      if run.takesSummary(Double(step) / 10) { summaries += 1 }
      if step == 49 { #expect((checks, summaries) == (4, 0)) }
    }
    #expect((checks, summaries) == (9, 0))
    #expect(run.takesSummary(10))
    #expect(!run.takesSummary(14))
  }
}
