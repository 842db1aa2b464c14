import Instants
import TestSupport
import Testing

@testable import ClientCommands

/// The requests of a screen for the state of the regions.
@Suite struct StatusPollTests {
  private let scheduler = ManualScheduler()

  private final class Requests {
    var numbers: [Int] = []
    var count: Int { numbers.count }
    var last: Int { numbers.last ?? 0 }
  }

  private func poll() -> (StatusPoll, Requests) {
    let (poll, requests) = (StatusPoll(scheduler, every: .seconds(10)), Requests())
    poll.onRequest = { requests.numbers.append($0) }
    poll.noteAvailability(true)
    return (poll, requests)
  }

  @Test func `the state is requested at once, and ten seconds after each answer`() {
    let (poll, requests) = poll()
    #expect(requests.count == 1)
    scheduler.advance(by: .seconds(60))
    #expect(requests.count == 1)
    #expect(poll.noteAnswer(to: requests.last))
    scheduler.advance(by: .milliseconds(9999))
    #expect(requests.count == 1)
    scheduler.advance(by: .milliseconds(1))
    #expect(requests.count == 2)
  }

  @Test func `events cause one request after a tenth of a second, even if they do not stop`() {
    let (poll, requests) = poll()
    #expect(poll.noteAnswer(to: requests.last))
    for _ in 0..<3 {
      poll.noteEvents()
      scheduler.advance(by: .milliseconds(40))
    }
    #expect(requests.count == 2)
    #expect(poll.noteAnswer(to: requests.last))
    scheduler.advance(by: .seconds(9))
    #expect(requests.count == 2)
  }

  @Test func `the state is requested again after events that an answer may not contain`() {
    let (poll, requests) = poll()
    poll.noteEvents()
    poll.noteEvents()
    scheduler.advance(by: .seconds(1))
    #expect(requests.count == 1)
    #expect(poll.noteAnswer(to: requests.last))
    scheduler.advance(by: .milliseconds(100))
    #expect(requests.count == 2)
    #expect(poll.noteAnswer(to: requests.last))
    scheduler.advance(by: .seconds(9))
    #expect(requests.count == 2)
  }

  @Test func `the next daemon is asked at once, and a late answer of the previous one does not count`() {
    let (poll, requests) = poll()
    let first = requests.last
    poll.noteAvailability(false)
    scheduler.advance(by: .seconds(60))
    #expect(requests.count == 1 && !poll.noteAnswer(to: first))
    poll.noteAvailability(true)
    #expect(requests.count == 2 && !poll.noteAnswer(to: first))
    scheduler.advance(by: .seconds(60))
    #expect(requests.count == 2 && poll.noteAnswer(to: requests.last) && !poll.noteAnswer(to: requests.last))
  }
}
