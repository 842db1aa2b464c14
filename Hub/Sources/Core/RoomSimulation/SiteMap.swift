/// The true mean levels of a simulated site on a grid of 0.25 m, and the ways between its rooms.
final class SiteMap: Sendable {
  /// The first step of a way to another room.
  struct Step {
    var room: Int
    var door: SIMD2<Float>
    var climb: Float
  }

  /// The groups of eight devices. The lanes of the last that have no device hear nothing.
  let groups: Int
  let rooms: [SimulatedSite.Room]
  /// The levels for each cell and group, and the two parts of the unit vectors to the devices.
  let levels: [SIMD8<Float>]
  let bearingsX: [SIMD8<Float>]
  let bearingsY: [SIMD8<Float>]
  private let steps: [[Step?]]
  private let columns: Int
  private let rows: Int

  private static let cellsPerMetre = 4.0

  init(_ simulation: SiteSimulation) {
    let plan = simulation.plan
    rooms = plan.rooms
    groups = (plan.devices.count + 7) / 8
    columns = Int((rooms.map(\.x.upperBound).max() ?? 0) * Self.cellsPerMetre) + 1
    rows = Int((rooms.map(\.y.upperBound).max() ?? 0) * Self.cellsPerMetre) + 1
    let size = simulation.setting.floors * rows * columns * groups
    var levels = [SIMD8<Float>](repeating: SIMD8(repeating: -200), count: size)
    var bearingsX = [SIMD8<Float>](repeating: .zero, count: size)
    var bearingsY = bearingsX
    for cell in 0..<simulation.setting.floors * rows * columns {
      let (row, column) = (cell / columns % rows, cell % columns)
      let place = SitePoint(
        x: (Double(column) + 0.5) / Self.cellsPerMetre, y: (Double(row) + 0.5) / Self.cellsPerMetre, floor: cell / columns / rows)
      for (device, receiver) in plan.devices.enumerated() {
        let (x, y) = (receiver.place.x - place.x, receiver.place.y - place.y)
        let distance = Swift.max(0.05, (x * x + y * y).squareRoot())
        let (index, lane) = (cell * groups + device / 8, device % 8)
        levels[index][lane] = Float(simulation.radio.level(of: device, at: place))
        bearingsX[index][lane] = Float(x / distance)
        bearingsY[index][lane] = Float(y / distance)
      }
    }
    (self.levels, self.bearingsX, self.bearingsY) = (levels, bearingsX, bearingsY)
    steps = rooms.indices.map { start in
      plan.rooms.indices.map { goal in
        TagWalk.way(from: start, to: goal, plan).first.map { opening in
          let next = opening.rooms.0 == start ? opening.rooms.1 : opening.rooms.0
          return Step(room: next, door: SIMD2(Float(opening.place.x), Float(opening.place.y)), climb: Float(opening.climb))
        }
      }
    }
  }

  /// Returns the index of the levels at a place.
  func index(_ place: SIMD2<Float>, floor: Int) -> Int {
    let column = Swift.max(0, Swift.min(columns - 1, Int(place.x * Float(Self.cellsPerMetre))))
    let row = Swift.max(0, Swift.min(rows - 1, Int(place.y * Float(Self.cellsPerMetre))))
    return ((floor * rows + row) * columns + column) * groups
  }

  /// Returns the first step of the way from a room to another; nil if it is the same.
  func step(from room: Int, to goal: Int) -> Step? { steps[room][goal] }

  /// Returns the levels of a tag at a place, attenuated by the body of its bearer, who faces a direction.
  @inline(__always)
  func level(_ index: Int, facing: SIMD2<Float>, body: Float) -> SIMD8<Float> {
    levels[index] - body / 2 + bearingsX[index] * (facing.x * body / 2) + bearingsY[index] * (facing.y * body / 2)
  }
}
