import Guidance
import Instants
import Locations
import Orientation
import RouteReports
import TestSupport
import Testing
import Wayfinding

/// The headings by which a guide turns its arrow and begins.
@Suite struct GuidanceHeadingTests {
  @Test func `a heading gives left, right and ahead with a hysteresis, at most five times a second`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 8)
    func side(_ degrees: Double, accuracy: Double = 5) -> TurnIndicator.Side? {
      scene.scheduler.advance(by: .seconds(1))
      _ = scene.drain()
      scene.service.take(TrustedHeading(degrees: degrees, accuracy: accuracy))
      scene.scheduler.advance(by: .milliseconds(1))
      return scene.reports.last?.side
    }
    #expect(side(120) == .ahead)
    #expect(side(107) == .ahead)
    #expect(side(100) == .right)
    #expect(side(107) == .right)
    #expect(side(145) == .left)
    #expect(side(145, accuracy: 40) == nil)
    _ = side(130)
    _ = scene.drain()
    for number in 0..<50 {
      scene.service.take(TrustedHeading(degrees: 130 + Double(number), accuracy: 5))
      scene.scheduler.advance(by: .milliseconds(20))
    }
    #expect((4...6).contains(scene.reports.count), "\(scene.reports.count)")
  }

  @Test func `a heading that is lost hides the turn, and not the bearing`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 8)
    scene.service.take(TrustedHeading(degrees: 120, accuracy: 5))
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.reports.last?.side == .ahead)
    scene.service.take(TrustedHeading?.none)
    scene.scheduler.advance(by: .seconds(1))
    let last = try #require(scene.reports.last)
    #expect(last.side == nil && last.heading == nil && last.bearing != nil)
  }

  @Test func `the guide repeats the start with its turn as soon as the heading is known`() throws {
    let scene = GuidanceScene()
    try scene.locate(8)
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    #expect(scene.kinds == [.start] && scene.sentences.first?.hasPrefix("Move forward") == true, "\(scene.sentences)")
    // The route has the bearing 120°, so the visitor faces the other way.
    func face(_ degrees: Double) {
      scene.service.take(TrustedHeading(degrees: degrees, accuracy: 5))
      scene.scheduler.advance(by: .milliseconds(300))
    }
    face(300)
    #expect(scene.kinds == [.start, .start] && scene.sentences.last?.hasPrefix("Turn around") == true, "\(scene.sentences)")
    face(210)
    face(120)
    #expect(scene.kinds == [.start, .start])
  }

  @Test func `a heading straight ahead, and one after the first steps, repeat no instruction`() throws {
    let ahead = GuidanceScene()
    try ahead.locate(8)
    try ahead.service.start(1, GuidanceScene.request(.place("clock")))
    ahead.service.take(TrustedHeading(degrees: 122, accuracy: 5))
    ahead.scheduler.advance(by: .seconds(1))
    #expect(ahead.kinds == [.start])
    let walking = GuidanceScene()
    try walking.locate(8)
    try walking.service.start(1, GuidanceScene.request(.place("clock")))
    try walking.walk(from: 8, to: 14)
    walking.service.take(TrustedHeading(degrees: 300, accuracy: 5))
    walking.scheduler.advance(by: .milliseconds(300))
    #expect(walking.kinds == [.start])
  }

  @Test func `the report has the reason why there is no heading, until there is one`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 8)
    #expect(scene.reports.last?.headingNote == nil)
    scene.service.take(TrustedHeading?.none, note: .other("iron"))
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.reports.last?.headingNote == "iron")
    let calibration = CalibrationStatus(isNeeded: true, progress: 0, covered: [])
    scene.service.take(HeadingService.Output.calibration(.guidance, calibration))
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.reports.last?.headingNote?.contains("in all directions") == true)
    scene.service.take(TrustedHeading(degrees: 120, accuracy: 5))
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.reports.last?.headingNote == nil && scene.reports.last?.heading == 120)
  }
}
