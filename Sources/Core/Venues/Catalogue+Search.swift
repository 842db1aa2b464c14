public import Geodesy

extension Catalogue {
  /// A place that a search found.
  public struct Found: Hashable, Sendable {
    /// The index of its venue in `venues`.
    public let venue: Int
    public let place: Place
    /// Metres on the plan; nil for a search by text.
    public let distance: Double?

    public init(venue: Int, place: Place, distance: Double? = nil) {
      (self.venue, self.place, self.distance) = (venue, place, distance)
    }
  }

  /// Returns the places nearest to a coordinate, in all venues with a frame.
  public func places(near coordinate: Coordinate, limit: Int) -> [Found] {
    nearest(limit: limit) { venue in venues[venue].frame.map { ($0.point(for: coordinate), nil) } }
  }

  /// Returns the places of a venue nearest to a point of its plan.
  ///
  /// - Parameters:
  ///   - venue: the index in `venues`.
  ///   - level: the id of the level of the places; nil for all levels.
  public func places(near point: PlanPoint, in venue: Int, level: String? = nil, limit: Int) -> [Found] {
    nearest(limit: limit) { $0 == venue ? (point, level) : nil }
  }

  /// - Parameter origin: returns the point and the level in a venue; nil to omit it.
  private func nearest(limit: Int, from origin: (Int) -> (point: PlanPoint, level: String?)?) -> [Found] {
    let found = venues.indices.flatMap { venue -> [Found] in
      guard let (point, level) = origin(venue) else { return [] }
      return venues[venue].places.filter { level == nil || $0.level == level }
        .map { Found(venue: venue, place: $0, distance: $0.distance(from: point)) }
    }
    let inOrder = found.enumerated().sorted { ($0.element.distance ?? 0, $0.offset) < ($1.element.distance ?? 0, $1.offset) }
    return inOrder.prefix(max(0, limit)).map(\.element)
  }

  /// Returns the places whose title, id or text contains all words, without regard to case, the best match first.
  ///
  /// A title in any language counts more than a text. A word at the beginning of a title counts more than one within.
  ///
  /// - Parameters:
  ///   - text: the words; an empty text finds all places.
  ///   - kind: the kind of place; nil for all.
  ///   - indices: the venues; nil for all.
  ///   - limit: the maximum number of places to return.
  public func search(_ text: String, kind: Place.Kind? = nil, in indices: Set<Int>? = nil, limit: Int) -> [Found] {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace).prefix(Self.mostWords).map(String.init)
    var ranked: [(rank: Int, found: Found)] = []
    for (number, venue) in venues.enumerated() where indices?.contains(number) ?? true {
      for place in venue.places where kind == nil || place.kind == kind {
        guard let rank = Self.rank(of: place, words) else { continue }
        ranked.append((rank, Found(venue: number, place: place, distance: nil)))
      }
    }
    let inOrder = ranked.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
    return inOrder.prefix(max(0, limit)).map(\.element.found)
  }

  private static let mostWords = 16

  /// Returns the sum of the ranks of the words, or nil if one is missing.
  private static func rank(of place: Place, _ words: [String]) -> Int? {
    let titles = place.title.versions.map { $0.text.lowercased() } + [place.id.lowercased()]
    let texts = words.isEmpty ? [] : place.text.versions.map { $0.text.lowercased() }
    var sum = 0
    for word in words {
      if titles.contains(where: { $0.hasPrefix(word) }) { continue }
      if titles.contains(where: { title in title.split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(word) } }) {
        sum += 1
      } else if titles.contains(where: { $0.contains(word) }) {
        sum += 2
      } else if texts.contains(where: { $0.contains(word) }) {
        sum += 3
      } else {
        return nil
      }
    }
    return sum
  }
}
