import Venues

/// A level of the large building, 300 × 200 m.
///
/// It has seven corridors with rooms of 10 × 12 m on both sides, and a passage along the western ends of the corridors.
struct OfficeFloor {
  private static let corridors = 7
  private static let rooms = 29
  /// The metres from a corridor to the next one, and the width of the passage.
  private static let (period, passage) = (27.0, 4.0)

  /// The points between which the visitor walks straight, and the way to each.
  private var stops: [(point: PlanPoint, metres: Double)] = []

  /// Plans a walk through the corridors, which enters every third room on the way east and comes back in the corridor.
  init() {
    for corridor in 0..<Self.corridors {
      let y = Self.period * Double(corridor) + 13.5
      go(to: PlanPoint(x: 2, y: y))
      for room in stride(from: 0, to: 10, by: 3) {
        let x = Self.passage + 10 * Double(room) + 5
        go(to: PlanPoint(x: x, y: y))
        go(to: PlanPoint(x: x, y: room % 2 == 0 ? y - 7 : y + 7))
        go(to: PlanPoint(x: x, y: y))
      }
      go(to: PlanPoint(x: 2, y: y))
    }
  }

  private mutating func go(to point: PlanPoint) {
    stops.append((point, stops.last.map { $0.metres + $0.point.distance(to: point) } ?? 0))
  }

  /// Returns where the visitor is after this number of metres.
  func place(after metres: Double) -> PlanPoint {
    guard let next = stops.firstIndex(where: { $0.metres > metres }), next > 0 else { return stops[stops.count - 1].point }
    let (from, to) = (stops[next - 1], stops[next])
    let share = (metres - from.metres) / (to.metres - from.metres)
    return PlanPoint(x: from.point.x + share * (to.point.x - from.point.x), y: from.point.y + share * (to.point.y - from.point.y))
  }

  /// The walls, one cell thick, with a door of 1.5 m in each room.
  static var walls: [PlanPolygon] {
    var walls: [PlanPolygon?] = []
    func add(x: ClosedRange<Double>, y: ClosedRange<Double>) {
      walls.append(PlanPolygon(from: PlanPoint(x: x.lowerBound, y: y.lowerBound), to: PlanPoint(x: x.upperBound, y: y.upperBound)))
    }
    for corridor in 0..<corridors {
      let y = period * Double(corridor)
      for room in 0..<rooms {
        let x = passage + 10 * Double(room)
        for side in [y + 11.5, y + 15] {
          add(x: x...(x + 4.5), y: side...(side + 0.5))
          add(x: (x + 6)...(x + 10), y: side...(side + 0.5))
        }
        add(x: x...(x + 0.5), y: y...(y + 12))
        add(x: x...(x + 0.5), y: (y + 15)...(y + 27))
      }
      add(x: passage...300, y: (y + 26.5)...(y + 27))
    }
    return walls.compactMap(\.self)
  }

  /// Returns the dB that the walls between two points take.
  static func loss(from a: PlanPoint, to b: PlanPoint) -> Double {
    func column(_ point: PlanPoint) -> Int { Int(max(0, point.x - passage) / 10) }
    func band(_ point: PlanPoint) -> Int {
      let (corridor, rest) = (Int(point.y / period), point.y.truncatingRemainder(dividingBy: period))
      return 3 * corridor + (rest < 12 ? 0 : rest < 15 ? 1 : 2)
    }
    return min(12, Double(abs(column(a) - column(b))) + 2 * Double(abs(band(a) - band(b))))
  }
}
