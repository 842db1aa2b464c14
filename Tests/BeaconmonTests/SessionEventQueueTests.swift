import FoundationEssentials
import Testing

@testable import Beaconmon

@Suite struct SessionEventQueueTests {
  private let now = Date(timeIntervalSince1970: 1000)
  private let gallery = BeaconIdentityConstraint(uuid: UUID())
  private let shop = BeaconIdentityConstraint(uuid: UUID())

  private func ranged(_ constraint: BeaconIdentityConstraint, at second: Double) -> SessionEvent {
    .ranged(RangingUpdate(constraint: constraint, date: now + second, beacons: []))
  }

  private func event(_ second: Double) -> SessionEvent {
    let region = BeaconRegion(beaconIdentityConstraint: gallery, identifier: "hall")
    return .event(
      RegionEvent(
        region: region, kind: .entered, state: .inside, date: now + second, beacon: nil, measurement: nil, location: nil,
        boundaryDistance: nil, reason: nil, floor: nil, levelName: nil))
  }

  private func seconds(_ queue: inout SessionEventQueue) -> [Double] {
    var seconds: [Double] = []
    while let event = queue.popFirst(at: now + 999) {
      switch event {
      case .ranged(let update): seconds.append(update.date.timeIntervalSince(now))
      case .event(let event): seconds.append(event.date.timeIntervalSince(now))
      default: seconds.append(.nan)
      }
    }
    return seconds
  }

  @Test func `only the latest pending ranging result of each constraint is kept`() {
    var queue = SessionEventQueue()
    for second in 0..<10_000 {
      queue.append(ranged(gallery, at: Double(second)), at: now)
      queue.append(ranged(shop, at: Double(second) + 0.5), at: now)
    }
    #expect(seconds(&queue) == [9999, 9999.5])
    #expect(queue.isEmpty)
  }

  @Test func `region events keep their order, and ranging results displace none`() {
    var queue = SessionEventQueue()
    for second in 0..<SessionEventQueue.capacity {
      queue.append(event(Double(second)), at: now)
      queue.append(ranged(gallery, at: Double(second)), at: now)
    }
    #expect(seconds(&queue) == (0..<SessionEventQueue.capacity).map(Double.init) + [Double(SessionEventQueue.capacity - 1)])
  }

  @Test func `a slow reader receives the gap first, and then the latest results`() throws {
    var queue = SessionEventQueue()
    for second in 0..<(SessionEventQueue.capacity + 10) { queue.append(event(Double(second)), at: now + Double(second)) }
    guard case .service(.available(let gap)) = queue.popFirst(at: now + 999) else {
      Issue.record("the gap was not delivered")
      return
    }
    #expect(gap == ServiceGap(from: now + Double(SessionEventQueue.capacity), to: now + 999, cause: .notTaken))
    #expect(seconds(&queue) == (10..<(SessionEventQueue.capacity + 10)).map(Double.init))
  }
}
