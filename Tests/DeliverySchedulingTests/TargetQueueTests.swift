import DeliveryScheduling
import Events
import Instants
import Records
import TestSupport
import Testing

@Suite struct TargetQueueTests {
  private var random = SeededGenerator(seed: 5)
  private let start = Instant(microseconds: 0)

  private func delivery(_ id: Int64, _ region: String = "hall", deadline: Instant = .never, expiry: Instant = .never) -> Delivery {
    Delivery(id: id, message: "m\(id)", event: Event.of(["region": .text(region)]), json: "{}", deadline: deadline, expiry: expiry)
  }

  private func queue(_ deliveries: [Delivery], _ policy: DeliveryPolicy = DeliveryPolicy(), lanes: TargetQueue.Lanes = .one) -> TargetQueue
  {
    var queue = TargetQueue(policy, lanes: lanes, at: start)
    queue.append(deliveries)
    return queue
  }

  @Test mutating func `deliveries go one after the other, each after the success of the one before`() {
    var queue = queue([delivery(1), delivery(2)])
    #expect(queue.next(at: start) == .send(delivery(1)))
    #expect(queue.next(at: start) == .rest)
    #expect(queue.settle(1, .delivered, at: start, using: &random) == .done)
    #expect(queue.next(at: start) == .send(delivery(2)))
    #expect(queue.settle(2, .delivered, at: start, using: &random) == .done)
    #expect(queue.next(at: start) == .rest)
    #expect(queue.isEmpty)
  }

  @Test mutating func `a failed delivery is retried before any other`() {
    var queue = queue([delivery(1), delivery(2)])
    _ = queue.next(at: start)
    #expect(queue.settle(1, .failed("down"), at: start, using: &random) == .again)
    guard case .wait(let until) = queue.next(at: start) else {
      Issue.record("no pause")
      return
    }
    #expect(until <= start + .seconds(2))
    #expect(queue.next(at: until) == .send(delivery(1)))
  }

  @Test mutating func `a target that becomes reachable is tried at once, and its next pause is longer`() {
    var queue = queue([delivery(1)], DeliveryPolicy(firstPause: .seconds(60)))
    _ = queue.next(at: start)
    #expect(queue.settle(1, .failed("away", retryAfter: .seconds(60)), at: start, using: &random) == .again)
    guard case .wait = queue.next(at: start) else {
      Issue.record("no pause")
      return
    }
    queue.endPause(at: start + .seconds(1))
    #expect(queue.next(at: start + .seconds(1)) == .send(delivery(1)))
    #expect(queue.failures == 1)
  }

  @Test mutating func `a retry waits as long as the receiver requests`() {
    var queue = queue([delivery(1)])
    _ = queue.next(at: start)
    _ = queue.settle(1, .failed("busy", retryAfter: .seconds(1000)), at: start, using: &random)
    #expect(queue.next(at: start) == .wait(until: start + .seconds(1000)))
    #expect(queue.next(at: start + .seconds(999.999)) == .wait(until: start + .seconds(1000)))
    #expect(queue.next(at: start + .seconds(1000)) == .send(delivery(1)))
  }

  @Test mutating func `a target that requests a wait of years is retried after a day`() {
    var queue = queue([delivery(1)])
    _ = queue.next(at: start)
    _ = queue.settle(1, .failed("busy", retryAfter: .seconds(1e9)), at: start, using: &random)
    #expect(queue.next(at: start) == .wait(until: start + .seconds(86_400)))
  }

  @Test mutating func `a refused delivery is dropped at once`() {
    var queue = queue([delivery(1), delivery(2)])
    _ = queue.next(at: start)
    #expect(queue.settle(1, .refused("bad"), at: start, using: &random) == .dead("bad"))
    #expect(queue.next(at: start) == .send(delivery(2)))
  }

  @Test mutating func `a delivery that fails for too long is given up with the reason, and so are all that waited as long`() {
    let deadline = start + .seconds(100)
    var queue = queue(
      [delivery(1, deadline: deadline), delivery(2, deadline: deadline), delivery(3, deadline: deadline + .seconds(50))],
      DeliveryPolicy(giveUp: .seconds(100)))
    _ = queue.next(at: start)
    #expect(queue.settle(1, .failed("down"), at: deadline + .seconds(1), using: &random) == .dead("given up after 100s: down"))
    #expect(queue.next(at: deadline + .seconds(1)) == .giveUp(delivery(2, deadline: deadline)))
    #expect(queue.lateReason == "given up after 100s: down")
    #expect(queue.next(at: deadline + .seconds(10)) == .send(delivery(3, deadline: deadline + .seconds(50))))
  }

  @Test mutating func `a working target receives late events, too`() {
    var queue = queue([delivery(1, deadline: start)])
    #expect(queue.next(at: start + .seconds(9)) == .send(delivery(1, deadline: start)))
  }

  @Test mutating func `an expired event is dropped, even during a pause`() {
    let expiry = start + .seconds(600)
    var queue = queue([delivery(1), delivery(2, expiry: expiry), delivery(3)])
    _ = queue.next(at: start)
    _ = queue.settle(1, .delivered, at: start, using: &random)
    #expect(queue.next(at: start) == .send(delivery(2, expiry: expiry)))
    _ = queue.settle(2, .failed("busy", retryAfter: .seconds(1000)), at: start, using: &random)
    #expect(queue.next(at: start) == .wait(until: expiry))
    #expect(queue.next(at: expiry) == .passOver(delivery(2, expiry: expiry)))
    #expect(queue.next(at: expiry) == .wait(until: start + .seconds(1000)))
  }

  @Test mutating func `a target has no more attempts in a minute than permitted`() {
    var queue = queue([delivery(1), delivery(2), delivery(3)], DeliveryPolicy(perMinute: 2))
    for id in Int64(1)...2 {
      #expect(queue.next(at: start) == .send(delivery(id)))
      _ = queue.settle(id, .delivered, at: start, using: &random)
    }
    #expect(queue.next(at: start) == .wait(until: start + .seconds(60)))
    #expect(queue.next(at: start + .seconds(60)) == .send(delivery(3)))
  }

  @Test mutating func `regions do not wait for one another, and each keeps its order`() {
    var queue = queue(
      [delivery(1, "a"), delivery(2, "a"), delivery(3, "b"), delivery(4, "c"), delivery(5, "b")], lanes: .perRegion(most: 2))
    #expect(queue.next(at: start) == .send(delivery(1, "a")))
    #expect(queue.next(at: start) == .send(delivery(3, "b")))
    #expect(queue.next(at: start) == .rest)
    _ = queue.settle(3, .delivered, at: start, using: &random)
    #expect(queue.next(at: start) == .send(delivery(4, "c")))
    _ = queue.settle(4, .delivered, at: start, using: &random)
    #expect(queue.next(at: start) == .send(delivery(5, "b")))
    _ = queue.settle(1, .delivered, at: start, using: &random)
    #expect(queue.next(at: start) == .send(delivery(2, "a")))
  }

  @Test mutating func `ten thousand events during an hour of failure arrive in order within the memory limit`() {
    let count = Int64(10_000)
    var queue = TargetQueue(DeliveryPolicy(), lanes: .one, at: start)
    let back = start + .seconds(3600)
    var (now, appended, attempts) = (start, Int64(0), 0)
    var arrived: [Int64] = []
    while arrived.count < Int(count) {
      // An event occurs every 0.36 s, and waits on disk until there is room.
      let known = min(count, Int64((now - start).seconds / 0.36) + 1)
      let more = min(Int64(queue.room), known - appended)
      queue.append((0..<more).map { delivery(appended + $0 + 1) })
      appended += more
      #expect(queue.room >= 0)
      switch queue.next(at: now) {
      case .send(let delivery):
        attempts += 1
        let isBack = now >= back
        if isBack { arrived.append(delivery.id) }
        _ = queue.settle(delivery.id, isBack ? .delivered : .failed("down"), at: now, using: &random)
      case .wait(let until): now = until
      case .rest: now += .seconds(0.36)
      case .giveUp, .passOver: Issue.record("dropped within an hour")
      }
    }
    #expect(arrived == Array(1...count))
    // The mean pause is 150 s once it has grown.
    #expect((attempts - Int(count)) < 80)
    #expect(now < back + .seconds(300))
  }
}
