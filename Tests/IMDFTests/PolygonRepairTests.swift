import RealModule
import Testing
import Venues

@testable import IMDF

@Suite struct PolygonRepairTests {
  private func points(_ pairs: [(Double, Double)]) -> [PlanPoint] { pairs.map { PlanPoint(x: $0.0, y: $0.1) } }

  private func square(_ x: Double, _ y: Double, _ size: Double) -> [PlanPoint] {
    points([(x, y), (x + size, y), (x + size, y + size), (x, y + size)])
  }

  @Test func `a valid outline is unchanged`() throws {
    let ring = points([(0, 0), (10, 0), (10, 5), (4, 5), (4, 9), (0, 9)])
    let outcome = try PolygonRepair().polygons(ring: ring, holes: [])
    #expect(outcome.polygons.map(\.ring) == [ring])
    #expect(outcome.problem == nil && !outcome.wasCut)
  }

  @Test func `a bow tie becomes two triangles`() throws {
    let outcome = try PolygonRepair().polygons(ring: points([(0, 0), (10, 10), (10, 0), (0, 10)]), holes: [])
    #expect(outcome.problem == "Self-intersection")
    #expect(outcome.polygons.map { $0.area } == [25, 25])
  }

  @Test func `an area with a hole is cut into areas without one`() throws {
    let outcome = try PolygonRepair().polygons(ring: square(0, 0, 10), holes: [square(4, 4, 2)])
    #expect(outcome.problem == nil && outcome.wasCut)
    #expect(outcome.polygons.count == 2)
    #expect(abs(outcome.polygons.reduce(0) { $0 + $1.area } - 96) < 1e-6)
    #expect(!outcome.polygons.contains { $0.contains(PlanPoint(x: 5, y: 5)) })
  }

  @Test func `many holes are cut out`() throws {
    var holes: [[PlanPoint]] = []
    for number in 0..<100 { holes.append(square(Double(number % 10 * 10 + 4), Double(number / 10 * 10 + 4), 2)) }
    let outcome = try PolygonRepair().polygons(ring: square(0, 0, 100), holes: holes)
    #expect(abs(outcome.polygons.reduce(0) { $0 + $1.area } - 9600) < 1e-3)
    #expect(outcome.polygons.allSatisfy { $0.selfCrossing == nil && $0.holes.isEmpty })
  }

  @Test func `an outline with thousands of corners is cut`() throws {
    let ring = (0..<5000).map { index in
      let angle = Double(index) / 5000 * 2 * .pi
      return PlanPoint(x: 500 * .cos(angle), y: 500 * .sin(angle))
    }
    let outcome = try PolygonRepair().polygons(ring: ring, holes: [])
    #expect(outcome.polygons.count > 1)
    #expect(outcome.polygons.allSatisfy { $0.ring.count <= PolygonRepair.mostCorners })
    #expect(abs(outcome.polygons.reduce(0) { $0 + $1.area } - .pi * 250_000) < 10)
  }

  @Test(arguments: [[], [(0, 0)], [(0, 0), (1, 1)], [(0, 0), (1, 1), (2, 2)], [(0, 0), (5, 0), (0, 0), (5, 0)]] as [[(Double, Double)]])
  func `an outline without an area gives nothing`(pairs: [(Double, Double)]) throws {
    #expect(try PolygonRepair().polygons(ring: points(pairs), holes: []).polygons.isEmpty)
  }

  @Test func `values that are not finite give nothing`() throws {
    #expect(try PolygonRepair().polygons(ring: points([(0, 0), (.nan, 1), (.infinity, 5)]), holes: []).polygons.isEmpty)
  }
}
