import IndoorPositioning
import RealModule
import Venues

/// The floors of a venue in cells, for the coverage of a survey and the places that would help most.
struct SurveyPlan {
  private struct Cell {
    let point: PlanPoint
    /// The expected error of positions in metres, up to `mostError`.
    let error: Double
  }

  private struct Level {
    let id: String
    let cells: [Cell]
    let positioned: Double
    let area: Double
  }

  /// The length in metres over which signals are alike, as in `SurveyMap`, and the distance of floor that counts as measured.
  private static let (length, near) = (3.0, 4.0)
  /// The share of the uncertainty at a place that a measurement there removes.
  private static let gain = 0.8
  private static let mostError = 8.0
  private static let mostCells = 600
  /// The share of the first gain below which another place is not worth the way.
  private static let leastGain = 0.1

  private let levels: [Level]
  private let places: [Place]
  private let languages: [String]

  init(_ venue: Venue, languages: [String]) {
    (places, self.languages) = (venue.places, languages)
    levels = venue.levels.map { level in
      let map = PositionErrorMap(venue, level)
      let found = map.cells.filter { $0.radius != nil }.count
      // The cells of the map in a coarser grid: the first one of each coarse cell represents all of them.
      var size = map.cellSize
      func thinned() -> [Cell] {
        var seen: Set<PlanPoint> = []
        return map.cells.filter { cell in
          seen.insert(PlanPoint(x: (cell.point.x / size).rounded(.down), y: (cell.point.y / size).rounded(.down))).inserted
        }.map { Cell(point: $0.point, error: min(Self.mostError, $0.radius ?? Self.mostError)) }
      }
      var cells = thinned()
      while cells.count > Self.mostCells {
        size *= 1.5
        cells = thinned()
      }
      return Level(
        id: level.id, cells: cells, positioned: map.cells.isEmpty ? 0 : Double(found) / Double(map.cells.count),
        area: Double(map.cells.count) * map.cellSize * map.cellSize)
    }
  }

  /// Returns the coverage of each level with a floor.
  func coverage(_ measured: [SurveyPlace]) -> [SurveyCoverage] {
    levels.filter { !$0.cells.isEmpty }.map { level in
      let here = measured.filter { $0.level == level.id }.map(\.point)
      let near = level.cells.count { cell in here.contains { $0.distance(to: cell.point) <= Self.near } }
      var coverage = SurveyCoverage()
      coverage.level = level.id
      coverage.positioned = level.positioned
      coverage.surveyed = Double(near) / Double(level.cells.count)
      coverage.places = UInt64(here.count)
      coverage.wantedPlaces = UInt64(max(1, (level.area / VenueSurvey.areaOfPlace).rounded(.up)))
      return coverage
    }
  }

  /// Returns the places whose measurement would remove most of the uncertainty, where positions are worst, the best first.
  func next(_ measured: [SurveyPlace], count: Int) -> [SurveyPlace] {
    var found: [(gain: Double, place: SurveyPlace)] = []
    for level in levels {
      var rest = level.cells.map(\.error)
      func correlation(_ a: PlanPoint, _ b: PlanPoint) -> Double {
        let distance = a.distance(to: b)
        return distance < 3 * Self.length ? Double.exp(-distance * distance / (Self.length * Self.length)) : 0
      }
      func measure(_ point: PlanPoint) {
        for index in rest.indices { rest[index] *= 1 - Self.gain * correlation(level.cells[index].point, point) }
      }
      for place in measured where place.level == level.id { measure(place.point) }
      var first = 0.0
      for _ in 0..<count {
        let gains = level.cells.map { cell in
          level.cells.indices.reduce(0) { $0 + rest[$1] * correlation(level.cells[$1].point, cell.point) }
        }
        guard let best = gains.indices.max(by: { gains[$0] < gains[$1] }) else { break }
        first = max(first, gains[best])
        guard gains[best] >= Self.leastGain * first, gains[best] > 0 else { break }
        let point = level.cells[best].point
        found.append((gains[best], SurveyPlace(level: level.id, point: point, name: name(near: point, level: level.id))))
        measure(point)
      }
    }
    return found.sorted { $0.gain > $1.gain }.prefix(count).map(\.place)
  }

  /// Returns the name of the nearest place within its radius.
  private func name(near point: PlanPoint, level: String) -> String? {
    let near = places.filter { $0.level == level && $0.distance(from: point) <= $0.radius ?? Place.usualRadius }
    return near.min { $0.distance(from: point) < $1.distance(from: point) }?.name(preferring: languages)
  }
}
