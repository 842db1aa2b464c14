import Records
public import Surveys
public import Venues

/// The places of a venue at which an installer can stand, by name or by position.
public struct SurveyPlaceChoice: Sendable {
  private let venue: Venue
  private let languages: [String]

  public init(_ venue: Venue, languages: [String]) {
    (self.venue, self.languages) = (venue, languages)
  }

  private static let walk = "walk"

  /// Returns the options for a typed text, the best one first.
  ///
  /// They are walking on, the recommended places, the typed position, and places with such a name.
  func options(for text: String, isStanding: Bool, recommended: [SurveyedPlace]) -> [ListOption] {
    var options: [ListOption] = []
    if text.isEmpty {
      if isStanding { options.append(ListOption(id: Self.walk, text: "walk on, without a place")) }
      options += recommended.compactMap(SurveyPlace.init).map { ListOption(id: id($0), text: "\($0.text), which would help") }
    }
    options += positions(text).map { ListOption(id: id($0), text: "at \($0.text)") }
    let wanted = text.lowercased()
    for place in venue.places {
      let name = place.name(preferring: languages)
      guard wanted.isEmpty || name.lowercased().contains(wanted) || place.id.lowercased().contains(wanted) else { continue }
      let found = SurveyPlace(level: place.level, point: place.position, name: name)
      options.append(ListOption(id: id(found), text: venue.levels.count > 1 ? "\(name), \(levelName(place.level))" : name))
    }
    return options
  }

  /// Returns the place of an option; nil for walking on.
  public func place(_ option: String) -> SurveyPlace? {
    let parts = option.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, let x = Double(parts[1]), let y = Double(parts[2]) else { return nil }
    return SurveyPlace(level: parts[0], point: PlanPoint(x: x, y: y), name: parts[3].isEmpty ? nil : parts[3])
  }

  private func id(_ place: SurveyPlace) -> String {
    "\(place.level)\t\(place.point.x)\t\(place.point.y)\t\(place.name ?? "")"
  }

  /// Returns the positions that a text means: `x y` in metres on each level, or with the id of a level in front of it.
  private func positions(_ text: String) -> [SurveyPlace] {
    var words = text.split { $0 == " " || $0 == "," || $0 == ";" }.map(String.init)
    var levels = venue.levels.map(\.id)
    if words.count == 3, levels.contains(words[0]) { levels = [words.removeFirst()] }
    guard words.count == 2, let x = Double(words[0]), let y = Double(words[1]), abs(x) < 100_000, abs(y) < 100_000 else { return [] }
    return levels.map { SurveyPlace(level: $0, point: PlanPoint(x: x, y: y)) }
  }

  private func levelName(_ id: String) -> String { venue.level(id)?.name.text(preferring: languages) ?? id }
}

extension SurveyPlace {
  /// The name, and the position in metres.
  var text: String {
    let position = [point.x, point.y].map { Decimal.text($0, decimals: 1) ?? "?" }.joined(separator: ", ")
    return [name.map { $0.printable }, "\(position) on \(level)"].compactMap(\.self).joined(separator: " at ")
  }

  /// Creates the place of a report; nil without a position.
  init?(_ place: SurveyedPlace) {
    guard let level = place.level, let x = place.x, let y = place.y else { return nil }
    self.init(level: level, point: PlanPoint(x: x, y: y), name: place.name)
  }
}
