/// The place of an appointment, found by its id or its title.
public struct AppointmentPlace: Hashable, Sendable {
  /// The id of the venue.
  public let venue: String
  /// The id of the place.
  public let place: String

  /// The reason why a name is not that of one place.
  public enum Failure: Error, Hashable, Sendable {
    case unknown
    /// The places that have the name, as `venue/place`, the first ones of many.
    case ambiguous([String])
  }

  /// The maximum number of places of a failure.
  private static let mostCandidates = 4

  /// Finds the place with an id, or else with a title in any language, without regard to case.
  ///
  /// - Parameters:
  ///   - name: the id or the title. A calendar may write the venue behind it, after a comma.
  ///   - venue: the id of the venue; nil searches all of them. A name that several have is ambiguous.
  public init(_ name: String, venue: String? = nil, in venues: [Venue]) throws(Failure) {
    let venues = venues.filter { venue == nil || $0.id == venue }
    let parts = [name] + (name.contains(",") ? [String(name.prefix { $0 != "," })] : [])
    for name in parts.map(Self.folded) where !name.isEmpty {
      let found = venues.flatMap { venue -> [(venue: String, place: String)] in
        let named = venue.places.filter { Self.folded($0.id) == name }
        return (named.isEmpty ? venue.places.filter { $0.title.versions.contains { Self.folded($0.text) == name } } : named)
          .map { (venue.id, $0.id) }
      }
      guard let first = found.first else { continue }
      guard found.count == 1 else { throw .ambiguous(found.prefix(Self.mostCandidates).map { "\($0.venue)/\($0.place)" }) }
      (self.venue, self.place) = (first.venue, first.place)
      return
    }
    throw .unknown
  }

  private static func folded(_ text: String) -> String {
    text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
