import DeliveryScheduling
import EventActions
import Events
import Instants
import Testing

@testable import Notification

/// The test of targets that `beaconmon-notifier --test` and the hub share.
@Suite struct TargetTestTests {
  private final class Place: DeliveryTarget {
    private(set) var delivery: Delivery?
    private var completion: (DeliveryOutcome) -> Void = { _ in }

    func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
      (self.delivery, self.completion) = (delivery, completion)
    }

    func answer(_ outcome: DeliveryOutcome) { completion(outcome) }
  }

  private final class Scene {
    let test: TargetTest
    private(set) var lines: [String] = []
    private(set) var ends = 0

    init(_ event: Event = .alertTest(time: Instant(microseconds: 7))) {
      var report: (String) -> Void = { _ in }
      test = TargetTest(event) { report($0) }
      report = { [unowned self] in lines.append($0) }
      test.onEnd = { [unowned self] in ends += 1 }
    }
  }

  @Test func `each target gets the event as a test, and its outcome is reported`() throws {
    let (scene, a, b) = (Scene(), Place(), Place())
    scene.test.send(to: [("a", a), ("b", b)])
    let delivery = try #require(a.delivery)
    #expect(delivery.isTest && delivery.event.isTest == true && delivery.message == "test-7" && delivery.json == delivery.event.json)
    b.answer(.delivered)
    #expect(!scene.test.isOver && scene.ends == 0)
    a.answer(.delivered)
    #expect(scene.test.isOver && scene.ends == 1 && scene.lines == ["b: delivered", "a: delivered"] && scene.test.finish())
  }

  @Test func `a target is kept until the end of the test`() {
    let scene = Scene()
    weak var place: Place?
    do {
      let target = Place()
      place = target
      scene.test.send(to: [("a", target)])
    }
    place?.answer(.delivered)
    #expect(scene.lines == ["a: delivered"])
  }

  @Test(arguments: [DeliveryOutcome.refused("404"), .failed("404", retryAfter: nil)])
  func `a target that does not receive the event fails the test`(outcome: DeliveryOutcome) {
    let (scene, a, b) = (Scene(), Place(), Place())
    scene.test.send(to: [("a", a), ("b", b)])
    a.answer(outcome)
    b.answer(.delivered)
    #expect(scene.ends == 1 && scene.lines == ["a: 404", "b: delivered"] && !scene.test.finish())
  }

  @Test func `targets without an answer at the end are reported, and fail the test`() {
    let (scene, a, b, c) = (Scene(), Place(), Place(), Place())
    scene.test.send(to: [("c", c), ("b", b), ("a", a)])
    b.answer(.delivered)
    #expect(!scene.test.finish() && scene.ends == 0)
    #expect(scene.lines == ["b: delivered", "a: no answer yet", "c: no answer yet"])
  }

  @Test func `a target that cannot be created fails the test, and the others still get the event`() {
    let (scene, a) = (Scene(), Place())
    scene.test.refuse("b", "no secret")
    #expect(scene.test.isOver && scene.ends == 0)
    scene.test.send(to: [("a", a)])
    a.answer(.delivered)
    #expect(scene.ends == 1 && scene.lines == ["b: no secret", "a: delivered"] && !scene.test.finish())
  }
}
