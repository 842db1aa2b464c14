import Instants
import RealModule
import Seeds
import Venues

// The buildings in which walkers walk.

extension SimulatedWalk {
  /// A grid of corridors with some missing, on three levels with two stairs and a lift.
  public static func building(_ random: inout SeededGenerator) -> Venue { grid(&random, hasStairwell: false) }

  /// Returns this grid with stairs whose flights follow each other, so that a visitor may climb on past a level.
  public static func stairwell(_ random: inout SeededGenerator) -> Venue { grid(&random, hasStairwell: true) }

  private static func grid(_ random: inout SeededGenerator, hasStairwell: Bool) -> Venue {
    let (columns, rows, spacing) = (5, 4, 14.0)
    let levels = (0..<3).map { VenueLevel(id: "l\($0)", ordinal: $0) }
    var venue = Venue(id: "building", levels: levels)
    func id(_ level: Int, _ column: Int, _ row: Int) -> String { "\(level)/\(column)/\(row)" }
    for level in 0..<3 {
      for column in 0..<columns {
        for row in 0..<rows {
          let position = PlanPoint(x: Double(column) * spacing, y: Double(row) * spacing)
          venue.nodes.append(RouteNode(id: id(level, column, row), level: levels[level].id, position: position))
          if column > 0, row == 0 || Int.random(in: 0..<4, using: &random) > 0 {
            venue.edges.append(RouteEdge(from: id(level, column - 1, row), to: id(level, column, row)))
          }
          if row > 0, column == 0 || Int.random(in: 0..<4, using: &random) > 0 {
            venue.edges.append(RouteEdge(from: id(level, column, row - 1), to: id(level, column, row)))
          }
        }
      }
    }
    for level in 0..<2 {
      let isTurned = hasStairwell && level == 1
      venue.edges.append(RouteEdge(from: id(level, isTurned ? 2 : 1, 0), to: id(level + 1, isTurned ? 1 : 2, 0), kind: .stairs))
    }
    venue.lifts = [
      RouteLift(id: "lift", stops: (0..<3).map { id($0, 4, 3) }, boardTime: .seconds(15), levelTime: .seconds(6))
    ]
    return venue
  }

  /// Returns a building of another size and shape for each seed.
  ///
  /// Its corridors are not quite parallel, and its stairs and its lift are anywhere.
  public static func irregularBuilding(_ random: inout SeededGenerator) -> Venue {
    let (columns, rows) = (Int.random(in: 3...7, using: &random), Int.random(in: 3...6, using: &random))
    let spacing = Double.random(in: 10...18, using: &random)
    let floors = Int.random(in: 2...4, using: &random)
    var venue = Venue(id: "irregular", levels: (0..<floors).map { VenueLevel(id: "l\($0)", ordinal: $0) })
    func id(_ level: Int, _ column: Int, _ row: Int) -> String { "\(level)/\(column)/\(row)" }
    // The corridors of a building lie above each other.
    let places = (0..<columns * rows).map { number in
      PlanPoint(
        x: Double(number / rows) * spacing + Double.random(in: -1...1, using: &random),
        y: Double(number % rows) * spacing + Double.random(in: -1...1, using: &random))
    }
    for level in 0..<floors {
      for column in 0..<columns {
        for row in 0..<rows {
          venue.nodes.append(RouteNode(id: id(level, column, row), level: "l\(level)", position: places[column * rows + row]))
          if column > 0, row == 0 || Int.random(in: 0..<3, using: &random) > 0 {
            venue.edges.append(RouteEdge(from: id(level, column - 1, row), to: id(level, column, row)))
          }
          if row > 0, column == 0 || Int.random(in: 0..<3, using: &random) > 0 {
            venue.edges.append(RouteEdge(from: id(level, column, row - 1), to: id(level, column, row)))
          }
        }
      }
    }
    for level in 1..<floors {
      let (column, row) = (Int.random(in: 1..<columns, using: &random), Int.random(in: 0..<rows, using: &random))
      venue.edges.append(RouteEdge(from: id(level - 1, column - 1, row), to: id(level, column, row), kind: .stairs))
    }
    let (column, row) = (Int.random(in: 0..<columns, using: &random), Int.random(in: 0..<rows, using: &random))
    venue.lifts = [
      RouteLift(id: "lift", stops: (0..<floors).map { id($0, column, row) }, boardTime: .seconds(15), levelTime: .seconds(6))
    ]
    return venue
  }
}
