@testable import IndoorPositioning
import TestSupport
import Testing
import Venues

@Suite struct RoomFilterTests {
  /// The rows of the reference by method and walk: time, x, y, radius, distance to the first beacon, probability within 3 m.
  private static let reference: [String: [[Double]]] = {
    var rows: [String: [[Double]]] = [:]
    for line in ((try? Fixture.text("gallery.reference.csv")) ?? "").split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ",")
      rows["\(fields[0]) \(fields[1])", default: []].append(fields.dropFirst(2).compactMap { Double($0) })
    }
    return rows
  }()

  @Test(arguments: ["open", "walkable", "survey"])
  func `positions agree with the reference to a millimetre on every walk, and to three with a survey`(method: String) throws {
    let model = try Gallery.model(isMapped: method != "open")
    let survey = method == "survey" ? SurveyMap(Gallery.survey(), model: model) : nil
    for walk in Gallery.walks {
      let run = GalleryRun(walk, model, survey: survey)
      let rows = try #require(Self.reference["\(method) \(walk.name)"])
      try #require(rows.count == run.seconds.count)
      for (second, row) in zip(run.seconds, rows) {
        // The shorter step of a survey reaches fewer cells.
        #expect(length(second.point, PlanPoint(x: row[1], y: row[2])) < (method == "survey" ? 0.003 : 0.001))
        // The radius is the distance of a cell, and another cell may reach 68 %.
        #expect(abs(second.radius - row[3]) < 0.02)
        // The reference assumes another height of the receiver for distances than for levels.
        if method == "survey" { continue }
        #expect(abs(second.distances[0] - row[4]) < 0.001)
        #expect(abs(second.within[0] - row[5]) < 0.001)
      }
    }
  }

  @Test func `probabilities sum to one after each second`() throws {
    let model = try Gallery.model(isMapped: true)
    for largest in [0, 16] {
      var filter = RoomFilter(model: model, largestWhole: largest)
      filter.focus(on: [0, 3, 5, 7])
      for second in Gallery.walks[3].seconds(Array(0..<12)) {
        filter.predict()
        filter.update(second)
        #expect(abs(filter.cells.reduce(0.0) { $0 + Double($1) } - 1) < 1e-4)
      }
    }
  }

  @Test func `packets in any order within a second give the same position`() throws {
    let model = try Gallery.model(isMapped: true)
    var (forward, backward) = (RoomFilter(model: model), RoomFilter(model: model))
    for second in Gallery.walks[3].seconds(Array(0..<12)).prefix(10) {
      forward.update(second)
      backward.update(second.reversed())
    }
    let (a, b) = (try #require(forward.fix(level: 0)), try #require(backward.fix(level: 0)))
    #expect(length(a.point, b.point) < 1e-4)
  }

  @Test func `a beacon that repeats its packets ten times does not change the position`() throws {
    let model = try Gallery.model(isMapped: true)
    var (once, often) = (RoomFilter(model: model), RoomFilter(model: model))
    for second in Gallery.walks[3].seconds(Array(0..<12)).prefix(10) {
      once.update(second)
      often.update(second.flatMap { Array(repeating: $0, count: 10) })
    }
    let (a, b) = (try #require(once.fix(level: 0)), try #require(often.fix(level: 0)))
    #expect(length(a.point, b.point) < 0.75)
    #expect(b.radius > 0.7 * a.radius)
  }

  @Test func `an impossible RSSI leaves probabilities that are finite`() throws {
    var filter = RoomFilter(model: try Gallery.model(isMapped: true))
    for rssi in [-127.0, 20] {
      filter.update((0..<12).flatMap { beacon in Array(repeating: RoomPacket(transmitter: beacon, rssi: rssi), count: 100) })
      let fix = try #require(filter.fix(level: 0))
      #expect(fix.point.x.isFinite && fix.radius.isFinite)
    }
  }

  @Test func `the probability of an area and of its complement sum to one`() throws {
    let model = try Gallery.model(isMapped: true)
    var filter = RoomFilter(model: model)
    for second in Gallery.walks[3].seconds(Array(0..<12)).prefix(5) { filter.update(second) }
    let (width, height) = Gallery.size
    func rectangle(_ left: Double, _ right: Double) -> [[PlanPoint]] {
      [[PlanPoint(x: left, y: 0), PlanPoint(x: right, y: 0), PlanPoint(x: right, y: height), PlanPoint(x: left, y: height)]]
    }
    let (a, b) = (model.area(rectangle(0, 9), level: 0), model.area(rectangle(9, width), level: 0))
    #expect(abs(filter.probability(of: a) + filter.probability(of: b) - 1) < 1e-4)
    #expect(filter.probability(of: model.area([], level: 0)) == 0)
    #expect(model.area(rectangle(0, 9), level: 7).isEmpty)
  }

  @Test func `sparse tiles give the position of the full grid to a centimetre`() throws {
    let building = try TestBuilding(levels: 1, width: 96, depth: 80)
    var (full, sparse) = (RoomFilter(model: building.model, largestWhole: 1000), RoomFilter(model: building.model, largestWhole: 0))
    var worst = 0.0
    for (number, second) in building.walk(seconds: 40, seed: 1).enumerated() {
      sparse.focus(on: second.loudest)
      if number > 0 {
        full.predict()
        sparse.predict()
      }
      full.update(second.packets)
      sparse.update(second.packets)
      let (a, b) = (try #require(full.fix(level: 0)), try #require(sparse.fix(level: 0)))
      if number > 3 { worst = max(worst, length(a.point, b.point)) }
    }
    #expect(worst < 0.01, "\(worst)")
    #expect(sparse.liveCells < full.liveCells)
  }
}
