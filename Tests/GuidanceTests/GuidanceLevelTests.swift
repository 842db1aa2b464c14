import Geodesy
import Guidance
import Instants
import RouteReports
import TestSupport
import Testing
import Wayfinding

@testable import Orientation

/// Positions in a venue on an unknown level.
@Suite struct GuidanceLevelTests {
  @Test func `a straight line on an unknown level comes with one remark about it, which names the level of the destination`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("shop")))
    for x in [35.0, 34, 33] {
      try scene.locate(x, floor: nil)
      scene.scheduler.advance(by: .seconds(1))
    }
    let report = try #require(scene.reports.last)
    #expect(report.mode == .direct && report.directReason == .levelUnknown && report.state == .underWay)
    #expect(report.note == "Your level is unknown, so this is a straight line; Shop is on First floor.")
    #expect(scene.kinds == [.start] && scene.sentences.count { $0.hasPrefix("Your level is unknown") } == 1, "\(scene.sentences)")
  }

  @Test func `a floor that the venue lacks is named, in the language of the client`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("shop"), languages: ["de"]))
    try scene.locate(35, floor: 7)
    #expect(
      scene.reports.last?.note
        == "Ihre Position liegt auf der Ebene 7, die der Plan nicht hat, daher ist dies eine gerade Linie; Ebene des Ziels: First floor.")
    #expect(scene.sentences.first?.hasPrefix("Ihre Position liegt auf der Ebene 7") == true, "\(scene.sentences)")
  }

  @Test func `a visitor who enters without a floor hears that the level is unknown, until a floor gives a route`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("shop")))
    try scene.locate(-60, floor: nil)
    #expect(scene.reports.last?.directReason == .outside && scene.reports.last?.note == nil)
    scene.scheduler.advance(by: .seconds(40))
    try scene.locate(35, floor: nil)
    #expect(scene.kinds == [.start, .progress] && scene.sentences.last?.hasPrefix("Your level is unknown") == true, "\(scene.sentences)")
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(34, floor: 0)
    let report = try #require(scene.reports.last)
    #expect(report.mode == .route && report.directReason == nil && report.note == nil && scene.routes == [.start])
    // The level is lost again.
    for x in [33.0, 32, 31] {
      scene.scheduler.advance(by: .seconds(1))
      try scene.locate(x, floor: nil)
    }
    #expect(scene.reports.last?.directReason == .levelUnknown)
    #expect(scene.sentences.count { $0.hasPrefix("Your level is unknown") } == 2, "\(scene.sentences)")
  }

  @Test func `guidance to a level does not lead to the middle of the venue while the level of the visitor is unknown`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.level("first")))
    try scene.locate(35, floor: nil)
    #expect(scene.reports.allSatisfy { $0.bearing == nil } && scene.failures.map(\.reason) == [.locationUnknown])
    #expect(scene.failures.first?.message.hasPrefix("the level of this device is unknown") == true, "\(scene.failures)")
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(35, floor: 0)
    #expect(scene.reports.last?.mode == .route)
  }

  @Test func `the reasons why guidance cannot lead are in the language of the client`() throws {
    let coarse = GuidanceScene()
    try coarse.service.start(1, GuidanceScene.request(.place("clock"), languages: ["de"]))
    try coarse.locate(5, accuracy: 40)
    #expect(coarse.failures.map(\.message) == ["die Position ist nur auf 40 m genau, nötig sind 15 m"])
    let island = GuidanceScene([GuidanceScene.venue(hasStairs: false)])
    try island.service.start(1, GuidanceScene.request(.place("shop"), languages: ["de"]))
    try island.locate(5)
    #expect(island.failures.first?.message.hasPrefix("Shop: von hier führt kein Weg hin: kein Weg führt von der Ebene") == true)
    let magnet = GuidanceScene()
    try magnet.service.start(1, GuidanceScene.request(.place("clock"), languages: ["de"]))
    try magnet.locate(5)
    magnet.service.take(TrustedHeading?.none, note: .disturbed)
    magnet.scheduler.advance(by: .seconds(1))
    #expect(magnet.reports.last?.headingNote?.hasPrefix("ein Magnet, Eisen ") == true)
    let missing = HeadingFailure(reason: .unavailable, message: HeadingService.noCompass)
    magnet.service.take(HeadingService.Output.failed(.guidance, missing))
    magnet.scheduler.advance(by: .seconds(1))
    #expect(magnet.reports.last?.headingNote == "dieses Gerät hat weder Magnetometer noch Kompass")
  }
}
