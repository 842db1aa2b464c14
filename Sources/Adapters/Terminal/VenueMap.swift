import Beacons
import Records
import Venues

/// A level of a venue in characters, with a list of its places.
///
/// A cell is twice as high as wide, as the characters of a terminal are.
public struct VenueMap {
  private let venue: Venue
  private let level: VenueLevel
  private let languages: [String]
  private let style: TerminalStyle

  /// - Parameter languages: the languages of names, the best one first.
  public init(_ venue: Venue, _ level: VenueLevel, languages: [String], style: TerminalStyle) {
    (self.venue, self.level, self.languages, self.style) = (venue, level, languages, style)
  }

  /// The marks of places in the order of the file; further places have none.
  private static let marks = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

  private var places: [Place] { venue.places.filter { $0.level == level.id } }
  private var beacons: [PlannedBeacon] { venue.beacons.filter { $0.level == level.id } }

  /// Returns the title, the map and the list.
  ///
  /// - Parameter width: the columns of the map.
  public func lines(width: Int) -> [String] {
    [title] + map(width: max(10, min(width, 200))) + legend
  }

  private var title: String {
    let name = level.name.text(preferring: languages) ?? level.id
    let size = venue.bounds(ofLevel: level.id).map { "\(Self.metres($0.width)) x \(Self.metres($0.height)) m" }
    return ([venue.name(preferring: languages), name].map(\.printable) + [size].compactMap(\.self)).joined(separator: ", ")
  }

  // MARK: Map

  private func map(width: Int) -> [String] {
    guard let bounds = venue.bounds(ofLevel: level.id), bounds.width + bounds.height > 0 else { return [] }
    // A long and narrow level is limited by its height.
    let cell = max(bounds.width / Double(width), bounds.height / 2 / 100, 0.01)
    let columns = max(1, Int((bounds.width / cell).rounded(.up)))
    let rows = max(1, Int((bounds.height / (2 * cell)).rounded(.up)))
    func column(_ point: PlanPoint) -> Int { min(columns - 1, max(0, Int((point.x - bounds.least.x) / cell))) }
    func row(_ point: PlanPoint) -> Int { min(rows - 1, max(0, Int((bounds.most.y - point.y) / (2 * cell)))) }
    var cells = (0..<rows).map { row in
      (0..<columns).map { column -> Character in
        let point = PlanPoint(x: bounds.least.x + (Double(column) + 0.5) * cell, y: bounds.most.y - (Double(row) + 0.5) * 2 * cell)
        return level.isWalkable(point) == true ? floor : " "
      }
    }
    for wall in venue.walls where wall.level == level.id {
      let steps = max(1, min(columns + rows, Int((wall.from.distance(to: wall.to) / cell).rounded(.up)) * 2))
      for step in 0...steps {
        let point = wall.from.towards(wall.to, Double(step) / Double(steps))
        cells[row(point)][column(point)] = bar
      }
    }
    for beacon in beacons { cells[row(beacon.position)][column(beacon.position)] = "*" }
    for (mark, place) in zip(Self.marks, places) { cells[row(place.position)][column(place.position)] = mark }
    return cells.map { String($0).withoutTrailingBlanks }
  }

  private var floor: Character { style.hasUnicode ? "·" : "." }
  private var bar: Character { style.hasUnicode ? "█" : "#" }

  // MARK: List

  private var legend: [String] {
    let count = Count.text(beacons.count, "beacon")
    let counts = beacons.isEmpty ? [] : ["*  \(count)"]
    let width = zip(Self.marks, places).map { $1.name(preferring: languages).printable.columns }.max() ?? 0
    let listed = zip(Self.marks, places).map { mark, place -> String in
      let name = place.name(preferring: languages).printable.padded(min(40, width))
      let beacon = place.beacon.map { "  beacon \($0.major)/\($0.minor)" } ?? ""
      return "\(mark)  \(name)  \(place.kind.rawValue)  [\(Self.metres(place.position.x)), \(Self.metres(place.position.y))]\(beacon)"
    }
    let more = places.count > Self.marks.count ? ["\(style.ellipsis) \(places.count - Self.marks.count) more places"] : []
    return listed + more + counts
  }

  /// Returns metres to the centimetre.
  private static func metres(_ value: Double) -> String {
    let text = "\((value * 100).rounded() / 100 + 0)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
