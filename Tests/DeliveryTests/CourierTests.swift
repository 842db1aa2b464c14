import Deliveries
import Delivery
import EventActions
import EventLoop
import Instants
import Records
import SQLite
import TestSupport
import Testing

@Suite struct CourierTests {
  let scene: Scene
  let mailroom: Mailroom
  let outbox: Outbox

  init() throws {
    scene = try Scene()
    outbox = try scene.outbox()
    mailroom = Mailroom(scene.loop, outbox, log: scene.log.logger)
  }

  private func courier(_ place: ScriptedTarget, name: String = "a", _ policy: DeliveryPolicy = DeliveryPolicy(firstPause: .milliseconds(5)))
    throws
    -> Courier
  {
    Courier(scene.loop, Target(name: name, .log(.empty), policy), at: place, lanes: .one, mailroom, log: scene.log.logger)
  }

  private func accept(_ sequences: ClosedRange<UInt64>, for targets: [String] = ["a"]) {
    _ = mailroom.accept(sequences.map { Scene.event($0) }, age: { _ in .zero }) { _ in targets }
  }

  @Test func `pending events beyond the memory limit are delivered in order until none is left`() throws {
    accept(1...500)
    let place = ScriptedTarget(scene.loop)
    let courier = try courier(place)
    try scene.loop.wait { place.attempts.count == 500 }
    accept(501...600)
    courier.nudge()
    try scene.loop.wait { place.attempts.count == 600 }
    #expect(place.attempts.map(\.message) == (1...600).map { "d-j-\($0)" })
    #expect(mailroom.waitingCount == 0)
  }

  @Test func `an unreachable target delays no other target, and receives its events in order afterwards`() throws {
    accept(1...50, for: ["a", "b"])
    var isBack = false
    let away = ScriptedTarget(scene.loop) { _ in isBack ? .delivered : .failed("down") }
    let there = ScriptedTarget(scene.loop)
    let couriers = [try courier(away), try courier(there, name: "b")]
    try scene.loop.wait { there.attempts.count == 50 }
    try scene.loop.wait { away.attempts.count > 3 }
    #expect(Set(away.attempts.map(\.message)) == ["d-j-1"])
    isBack = true
    try scene.loop.wait { away.attempts.last?.message == "d-j-50" }
    let delivered = away.attempts.drop { $0.message == "d-j-1" }.map(\.message)
    #expect(delivered == (2...50).map { "d-j-\($0)" })
    withExtendedLifetime(couriers) {}
    // The log has one line for the failure and one for the recovery.
    #expect(scene.log.lines.count == 2)
    #expect(scene.log.lines.first == "warning a for event 1 (enter hall): down; retrying")
    #expect(scene.log.lines.last?.hasPrefix("info a: available again after ") == true)
  }

  @Test func `a refused event becomes a dead letter, and the next one follows`() throws {
    accept(1...3)
    let place = ScriptedTarget(scene.loop) { $0.message == "d-j-2" ? .refused("the server answered 400") : .delivered }
    let courier = try courier(place)
    try scene.loop.wait { place.attempts.count == 3 && mailroom.waitingCount == 0 }
    #expect(try outbox.deadLetters().map(\.reason) == ["the server answered 400"])
    #expect(scene.log.lines == ["warning a for event 2 (enter hall): the server answered 400"])
    withExtendedLifetime(courier) {}
  }

  @Test func `an expired event is dropped for good`() throws {
    _ = mailroom.accept([Scene.event(1), Scene.event(2)], age: { $0["sequence"] == .count(1) ? .seconds(700) : .zero }) { _ in ["a"] }
    let place = ScriptedTarget(scene.loop)
    let courier = try courier(place, DeliveryPolicy(maximumAge: .seconds(600)))
    try scene.loop.wait { !place.attempts.isEmpty && mailroom.waitingCount == 0 }
    #expect(place.attempts.map(\.message) == ["d-j-2"])
    #expect(try outbox.deadLetters().isEmpty)
    #expect(scene.log.lines == ["info a for event 1 (enter hall): skipped, because it is older than 10m"])
    withExtendedLifetime(courier) {}
  }

  @Test func `an attempt that a dying process left unanswered is repeated by the next process`() throws {
    accept(1...3)
    let silent = ScriptedTarget(scene.loop) { $0.message == "d-j-2" ? nil : .delivered }
    var first: Courier? = try courier(silent)
    try scene.loop.wait { silent.attempts.count == 2 }
    mailroom.commit()
    first = nil
    let place = ScriptedTarget(scene.loop)
    let second = try courier(place)
    try scene.loop.wait { place.attempts.count == 2 }
    #expect(place.attempts.map(\.message) == ["d-j-2", "d-j-3"])
    withExtendedLifetime((first, second)) {}
  }
}
