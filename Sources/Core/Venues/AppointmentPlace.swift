/// The place of an appointment, found by its id or its title.
public struct AppointmentPlace: Hashable, Sendable {
  /// The id of the venue.
  public let venue: String
  /// The id of the place.
  public let place: String

  /// Finds the place with an id, or else with a title in any language, without regard to case; nil if there is none.
  ///
  /// - Parameters:
  ///   - name: the id or the title. A calendar may write the venue behind it, after a comma.
  ///   - venue: the id of the venue; nil searches all, in their order.
  public init?(_ name: String, venue: String? = nil, in venues: [Venue]) {
    let venues = venues.filter { venue == nil || $0.id == venue }
    let parts = [name] + (name.contains(",") ? [String(name.prefix { $0 != "," })] : [])
    for name in parts.map(Self.folded) where !name.isEmpty {
      for venue in venues {
        let place =
          venue.places.first { Self.folded($0.id) == name }
          ?? venue.places.first { $0.title.versions.contains { Self.folded($0.text) == name } }
        guard let place else { continue }
        (self.venue, self.place) = (venue.id, place.id)
        return
      }
    }
    return nil
  }

  private static func folded(_ text: String) -> String {
    text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
