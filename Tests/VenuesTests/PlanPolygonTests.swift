import Testing
import Venues

private func polygon(_ points: [(Double, Double)], holes: [[(Double, Double)]] = []) -> PlanPolygon? {
  PlanPolygon(ring: points.map { PlanPoint(x: $0.0, y: $0.1) }, holes: holes.map { $0.map { PlanPoint(x: $0.0, y: $0.1) } })
}

@Suite struct PlanPolygonTests {
  private static let square = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
  private static let ell = [(0.0, 0.0), (6.0, 0.0), (6.0, 2.0), (2.0, 2.0), (2.0, 6.0), (0.0, 6.0)]

  @Test func `a polygon needs three finite points`() {
    #expect(polygon([(0, 0), (1, 1)]) == nil)
    #expect(polygon([(0, 0), (1, 1), (0, 0)]) == nil)
    #expect(polygon([(0, 0), (1, 0), (.nan, 1)]) == nil)
    #expect(polygon([(0, 0), (1, 0), (0, .infinity)]) == nil)
    #expect(polygon(Self.square, holes: [[(1, 1), (2, 2)]]) == nil)
    #expect(polygon([(0, 0), (1, 0), (0, 1)]) != nil)
  }

  @Test func `a repeated first point closes a ring and is dropped`() throws {
    #expect(try #require(polygon(Self.square + [(0, 0)])).ring.count == 4)
  }

  @Test(arguments: [false, true])
  func `a point lies in a concave outline whatever its direction`(_ isReversed: Bool) throws {
    let ell = try #require(polygon(isReversed ? Self.ell.reversed() : Self.ell))
    #expect(ell.contains(PlanPoint(x: 1, y: 5)))
    #expect(ell.contains(PlanPoint(x: 5, y: 1)))
    #expect(!ell.contains(PlanPoint(x: 4, y: 4)))
    #expect(!ell.contains(PlanPoint(x: -1, y: 1)))
    #expect(!ell.contains(PlanPoint(x: .nan, y: 1)))
    #expect(ell.area == 20)
  }

  @Test func `a hole belongs neither to the polygon nor to its area`() throws {
    let ring = try #require(polygon(Self.square, holes: [[(1, 1), (3, 1), (3, 3), (1, 3)]]))
    #expect(!ring.contains(PlanPoint(x: 2, y: 2)))
    #expect(ring.contains(PlanPoint(x: 0.5, y: 2)))
    #expect(ring.area == 12)
    #expect(ring.distanceToEdge(from: PlanPoint(x: 2, y: 2)) == 1)
  }

  @Test func `the centre of an outline is its centre of gravity`() throws {
    let ell = try #require(polygon(Self.ell))
    #expect(abs(ell.center.x - 2.2) < 1e-12)
    #expect(abs(ell.center.y - 2.2) < 1e-12)
    #expect(try #require(polygon([(0, 0), (2, 2), (4, 4)])).center == PlanPoint(x: 2, y: 2))
  }

  @Test func `a simple outline has no crossing`() throws {
    #expect(try #require(polygon(Self.square)).selfCrossing == nil)
    #expect(try #require(polygon(Self.ell)).selfCrossing == nil)
    #expect(try #require(polygon(Self.ell.reversed())).selfCrossing == nil)
  }

  @Test(arguments: [
    [(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)],
    // A spike, a repeated point, a corner on another edge.
    [(0.0, 0.0), (4.0, 0.0), (8.0, 0.0), (4.0, 0.0), (4.0, 4.0)],
    [(0.0, 0.0), (4.0, 0.0), (4.0, 0.0), (4.0, 4.0)],
    [(0.0, 0.0), (4.0, 0.0), (2.0, 4.0), (2.0, 0.0), (0.0, 4.0)],
    [(0.0, 0.0), (2.0, 0.0), (1.0, 0.0)],
  ])
  func `an outline that crosses, touches or repeats itself is found`(_ points: [(Double, Double)]) throws {
    #expect(try #require(polygon(points)).selfCrossing != nil)
    #expect(try #require(polygon(points.reversed())).selfCrossing != nil)
  }

  @Test func `a crossing in a hole is found`() throws {
    let holed = try #require(polygon(Self.square, holes: [[(1, 1), (3, 3), (3, 1), (1, 3)]]))
    let crossing = try #require(holed.selfCrossing)
    #expect((crossing.first, crossing.second) == (PlanPoint(x: 1, y: 1), PlanPoint(x: 3, y: 1)))
  }

  @Test func `polygons with a common edge touch and do not overlap`() throws {
    let left = try #require(polygon(Self.square))
    let right = try #require(polygon([(4, 0), (8, 0), (8, 4), (4, 4)]))
    #expect(left.touches(right))
    #expect(!left.overlaps(right))
    #expect(!right.overlaps(left))
  }

  @Test func `polygons overlap if they cross, contain each other or are equal`() throws {
    let square = try #require(polygon(Self.square))
    #expect(square.overlaps(try #require(polygon([(3, 1), (8, 1), (8, 3), (3, 3)]))))
    let inner = try #require(polygon([(1, 1), (3, 1), (3, 3), (1, 3)]))
    #expect(square.overlaps(inner))
    #expect(inner.overlaps(square))
    #expect(square.overlaps(square))
    #expect(!square.overlaps(try #require(polygon([(5, 5), (6, 5), (6, 6)]))))
  }

  @Test func `a gap is ignored up to the stated width`() throws {
    let left = try #require(polygon(Self.square))
    let right = try #require(polygon([(4.5, 0), (8, 0), (8, 4), (4.5, 4)]))
    #expect(!left.touches(right))
    #expect(!left.touches(right, gap: 0.4))
    #expect(left.touches(right, gap: 0.5))
  }
}
