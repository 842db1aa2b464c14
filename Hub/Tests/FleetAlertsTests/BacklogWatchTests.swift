import Instants
import Testing

@testable import FleetAlerts

@Suite struct BacklogWatchTests {
  private struct Outage: Error, CustomStringConvertible {
    let description: String
  }

  private final class Broker {
    var backlog: Int? = 5
    var questions = 0

    func ask() throws -> Int {
      questions += 1
      guard let backlog else { throw Outage(description: "the broker does not answer") }
      return backlog
    }
  }

  private let scheduler = ManualScheduler()
  private let broker = Broker()
  private let log = LogLines()
  private let watch: BacklogWatch

  init() { watch = BacklogWatch(scheduler, log: log.logger, ask: broker.ask) }

  @Test("the broker is asked once a minute")
  func pace() {
    for second in 0..<180 {
      if second == 30 { broker.backlog = 7 }
      #expect(watch.backlog() == (second < 60 ? 5 : 7))
      scheduler.advance(by: .seconds(1))
    }
    #expect(broker.questions == 3 && log.all.isEmpty)
  }

  @Test("without an answer the number is unknown, the broker is asked again a minute later, and both changes are logged once")
  func outage() {
    #expect(watch.backlog() == 5)
    broker.backlog = nil
    for _ in 0..<6 {
      scheduler.advance(by: .seconds(30))
      _ = watch.backlog()
    }
    #expect(watch.backlog() == nil && broker.questions == 4)
    broker.backlog = 0
    scheduler.advance(by: .seconds(59))
    #expect(watch.backlog() == nil)
    scheduler.advance(by: .seconds(1))
    #expect(watch.backlog() == 0)
    scheduler.advance(by: .seconds(60))
    #expect(watch.backlog() == 0)
    #expect(log.all == ["the broker does not answer; the backlog is unknown", "the broker answers again"])
  }
}
