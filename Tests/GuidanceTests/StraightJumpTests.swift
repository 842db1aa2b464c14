import Geodesy
import Guidance
import Instants
import RouteReports
import TestSupport
import Testing
import Wayfinding

/// Straight ways, along which some positions are elsewhere.
@Suite struct StraightJumpTests {
  /// The way of 120 m to the north, in metres along it and to its right.
  private static func coordinate(_ along: Double, _ right: Double = 0) throws -> Coordinate {
    try #require(Coordinate(latitude: 48.2 + (along - 120) / 111_200, longitude: 11.575 + right / 74_200))
  }

  private func scene() throws -> GuidanceScene {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.earth(try Self.coordinate(120), level: nil)))
    return scene
  }

  /// Walks with a location each second.
  private func walk(_ scene: GuidanceScene, from start: Double, to end: Double) throws {
    for along in stride(from: start, through: end, by: 1.2) {
      scene.scheduler.advance(by: .seconds(1))
      try scene.locate(try Self.coordinate(along), accuracy: 1.4)
    }
  }

  @Test(arguments: [(120.0, 0.0, 1), (120, 0, 3), (-300, 400, 1), (-300, 400, 3)])
  func `positions elsewhere neither end a straight way nor change it`(along: Double, right: Double, count: Int) throws {
    let scene = try scene()
    try walk(scene, from: 0, to: 36)
    let before = scene.reports.last
    for _ in 0..<count {
      scene.scheduler.advance(by: .seconds(1))
      try scene.locate(try Self.coordinate(along, right), accuracy: 1.4)
      #expect(scene.reports.last?.distance == before?.distance && scene.reports.last?.position == before?.position)
    }
    try walk(scene, from: 37, to: 110)
    #expect(scene.ends.isEmpty && scene.failures.isEmpty && scene.reports.allSatisfy { $0.distance ?? 0 < 125 })
    #expect(scene.kinds == [.start, .progress, .progress, .progress], "\(scene.sentences)")
  }

  @Test func `a visitor who stays elsewhere hears the way from there`() throws {
    let scene = try scene()
    try walk(scene, from: 0, to: 36)
    for _ in 0..<4 {
      scene.scheduler.advance(by: .seconds(1))
      try scene.locate(try Self.coordinate(-300, 400), accuracy: 1.4)
    }
    #expect(scene.kinds.last == .start && scene.kinds.count == 3 && scene.reports.last?.distance ?? 0 > 575, "\(scene.sentences)")
  }

  @Test func `an arrival needs two positions, or one and the confirmation of a source that reports changes`() throws {
    let scene = try scene()
    try walk(scene, from: 90, to: 109)
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(try Self.coordinate(111), accuracy: 1.4)
    #expect(scene.ends.isEmpty && scene.reports.last?.state == .underWay && scene.reports.last?.bearing == nil)
    scene.scheduler.advance(by: .seconds(12))
    #expect(scene.ends.map(\.reason) == [.arrived])
  }

  @Test func `the lost position of a visitor is accepted where it is found again`() throws {
    let scene = try scene()
    try walk(scene, from: 0, to: 12)
    scene.locations.location = nil
    scene.scheduler.advance(by: .seconds(10))
    try scene.locate(try Self.coordinate(95), accuracy: 1.4)
    #expect(scene.reports.last?.state == .underWay && abs((scene.reports.last?.distance ?? 0) - 25) < 1)
  }
}
