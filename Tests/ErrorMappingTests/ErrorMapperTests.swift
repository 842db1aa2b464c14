import Beacons
import EventLoop
import TestSupport
import Testing
import Venues
import WebPage

@testable import ErrorMapping

@Suite struct ErrorMapperTests {
  /// A hall with a beacon in each corner, and without a corner that is not floor.
  private static func hall(width: Double) throws -> PlanReport {
    var venue = Venue(id: "v")
    var level = VenueLevel(id: "ground")
    level.walkable = [try #require(PlanPolygon(from: PlanPoint(x: -2, y: 1), to: PlanPoint(x: width - 2, y: 11)))]
    level.voids = [try #require(PlanPolygon(from: PlanPoint(x: -2, y: 1), to: PlanPoint(x: 0, y: 3)))]
    venue.levels = [level]
    var report = venue.report(of: level, preferring: [])
    report.beacons = try (0..<6).map { index in
      var beacon = PlannedBeaconReport()
      (beacon.uuid, beacon.major, beacon.minor) = (try BeaconUUID("8ec76ea3-6668-48da-9866-75be8bc86f4d"), 1, UInt16(index))
      (beacon.x, beacon.y) = (Double(index % 3) * width / 3, Double(index / 3) * 8 + 1.5)
      return beacon
    }
    return report
  }

  @Test func `the errors of the cells are rows from the lower left corner, without cells that are not floor`() throws {
    let loop = try Loop()
    let mapper = try ErrorMapper(loop)
    let errors = try #require(try loop.value { mapper.requestErrors(on: try! Self.hall(width: 20), $0) })
    #expect(errors.cell == 0.5 && errors.x == -2 && errors.y == 1 && errors.columns == 40 && errors.errors.count == 800)
    #expect(errors.errors[0] == nil && errors.errors[3] == nil && errors.errors[4] != nil && errors.errors[4 * 40] != nil)
    #expect(errors.errors.compactMap(\.self).allSatisfy { (0.2...5).contains($0) })
  }

  @Test func `several requests for the same level are one computation, and different ones follow each other`() throws {
    let loop = try Loop()
    let mapper = try ErrorMapper(loop)
    let (small, large) = (try Self.hall(width: 10), try Self.hall(width: 12))
    let columns: [Int] = try loop.value { done in
      var found: [Int] = []
      for plan in [small, large, small] {
        mapper.requestErrors(on: plan) { errors in
          found.append(errors?.columns ?? -1)
          if found.count == 3 { done(found) }
        }
      }
    }
    #expect(columns == [20, 20, 24])
    // It is known now.
    var known: PredictedErrors?
    mapper.requestErrors(on: small) { known = $0 }
    #expect(known?.columns == 20)
  }

  @Test func `a map whose thread cannot be started is answered without errors, and the next ones are computed`() throws {
    let loop = try Loop()
    var starts = 0
    let mapper = try ErrorMapper(loop) { (body) throws(SystemCallError) in
      starts += 1
      guard starts != 2 else { throw SystemCallError(call: "pthread_create", code: 11) }
      try LoopThread.start(named: "map", body)
    }
    let plans = try [10.0, 11, 12].map { try Self.hall(width: $0) }
    let columns: [Int?] = try loop.value { done in
      var found: [Int?] = []
      for plan in plans {
        mapper.requestErrors(on: plan) { errors in
          found.append(errors?.columns)
          if found.count == 3 { done(found) }
        }
      }
    }
    #expect(columns == [20, nil, 24])
  }

  @Test func `a level without an extent has no cells`() throws {
    let loop = try Loop()
    let mapper = try ErrorMapper(loop)
    let errors = try loop.value { mapper.requestErrors(on: PlanReport(), $0) }
    #expect(errors?.errors.isEmpty == true)
  }
}
