import DeliveryScheduling
import Events
import Instants
import Records
import TestSupport
import Testing

@testable import BrokerPublishing

@Suite struct EventAttemptsTests {
  let scheduler = ManualScheduler()

  /// Attempts to deliver events, and their outcomes.
  private final class Trial {
    let attempts: EventAttempts<String>
    var trouble: String?
    private(set) var outcomes: [DeliveryOutcome] = []

    init(_ scheduler: ManualScheduler) {
      var trouble: () -> String? = { nil }
      attempts = EventAttempts(scheduler) { trouble() }
      trouble = { [unowned self] in self.trouble }
    }

    func begin(_ message: String, id: Int64 = 1, isTest: Bool = false) {
      let delivery = Delivery(id: id, message: message, event: Event.of([:]), json: "{}", isTest: isTest)
      attempts.begin(delivery, "message of \(message)") { [unowned self] in outcomes.append($0) }
    }
  }

  @Test(arguments: [false, true])
  func `an event is delivered by an acknowledgement that comes after its attempt, and is not sent twice`(isInPause: Bool) throws {
    let trial = Trial(scheduler)
    trial.begin("a")
    let sent = try #require(trial.attempts.next())
    #expect(sent.message == "message of a")
    #expect(trial.attempts.next() == nil)
    scheduler.advance(by: .seconds(15))
    #expect(trial.outcomes == [.failed("the broker does not respond")])
    // The outbox may have moved to another file, with other ids.
    if isInPause {
      trial.attempts.acknowledged(sent.sending)
      trial.begin("a", id: 2)
      #expect(trial.outcomes.count == 1, "the completion came inside the call")
      scheduler.settle()
    } else {
      trial.begin("a", id: 2)
      #expect(trial.attempts.next() == nil)
      trial.attempts.acknowledged(sent.sending)
    }
    #expect(trial.outcomes.dropFirst() == [.delivered])
    trial.begin("b")
    #expect(trial.attempts.next()?.message == "message of b")
  }

  @Test func `the next event is not delivered by the acknowledgement of an earlier one`() throws {
    let trial = Trial(scheduler)
    trial.begin("a")
    let first = try #require(trial.attempts.next())
    scheduler.advance(by: .seconds(15))
    trial.begin("b")
    trial.attempts.acknowledged(first.sending)
    #expect(trial.outcomes.count == 1)
    let second = try #require(trial.attempts.next())
    trial.attempts.acknowledged(first.sending)
    #expect(trial.outcomes.count == 1)
    trial.attempts.acknowledged(second.sending)
    #expect(trial.outcomes.last == .delivered)
  }

  @Test func `an attempt without a connection fails after 15 seconds with the reason`() {
    let trial = Trial(scheduler)
    trial.trouble = "refused"
    trial.begin("a")
    scheduler.advance(by: .milliseconds(14_999))
    #expect(trial.outcomes.isEmpty)
    scheduler.advance(by: .milliseconds(1))
    #expect(trial.outcomes == [.failed("refused")])
    #expect(trial.attempts.next() == nil)
  }

  @Test func `a lost connection fails the attempt at once, and the event is sent again on the next one`() throws {
    let trial = Trial(scheduler)
    trial.begin("a")
    let sent = try #require(trial.attempts.next())
    trial.attempts.lost("cut")
    #expect(trial.outcomes == [.failed("cut")])
    trial.begin("a")
    let again = try #require(trial.attempts.next())
    trial.attempts.acknowledged(sent.sending)
    #expect(trial.outcomes.count == 1)
    trial.attempts.acknowledged(again.sending)
    #expect(trial.outcomes.last == .delivered)
    scheduler.advance(by: .seconds(60))
    #expect(trial.outcomes.count == 2)
  }

  @Test func `each test is sent, although its message has the same id`() throws {
    let trial = Trial(scheduler)
    for _ in 1...2 {
      trial.begin("test", isTest: true)
      trial.attempts.acknowledged(try #require(trial.attempts.next()).sending)
    }
    #expect(trial.outcomes == [.delivered, .delivered])
  }
}
