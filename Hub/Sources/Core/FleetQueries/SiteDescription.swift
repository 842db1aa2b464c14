/// The title of a site, and its place on the map, as an administrator changes them.
public struct SiteDescription: Hashable, Sendable {
  /// A place in degrees.
  public struct Place: Hashable, Sendable {
    public let latitude: Double
    public let longitude: Double

    /// Parses a text such as `52.5219,13.4132`; nil for any other text, and beyond the earth.
    public init?(_ text: String) {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard parts.count == 2, let latitude = parts[0], let longitude = parts[1], (-90...90).contains(latitude),
        (-180...180).contains(longitude)
      else { return nil }
      (self.latitude, self.longitude) = (latitude, longitude)
    }
  }

  /// The values; nil for one that stays.
  public var title: String?
  public var place: Place?

  public init(title: String?, place: Place?) { (self.title, self.place) = (title, place) }

  /// The reason why the site cannot be described like this; nil if it can.
  public var fault: String? {
    guard title != nil || place != nil else { return "nothing to change; use --title or --at" }
    guard let title else { return nil }
    return title.count <= 80 && !title.unicodeScalars.contains { $0.value < 32 }
      ? nil : "--title is one line of at most 80 characters; shorten it"
  }
}
