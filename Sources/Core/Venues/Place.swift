public import Beacons

/// A place in a venue that visitors look for: an exhibit, a shop, a gate.
public struct Place: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case exhibit, shop, room, gate, desk, entrance, exit, toilet, food, seat, stairs, lift, story, other
  }

  /// A page about a place.
  public struct Link: Hashable, Sendable {
    /// An address that begins with `https://`.
    public var address: String
    public var title: LocalizedText

    public init(address: String, title: LocalizedText = LocalizedText()) {
      self.address = address
      self.title = title
    }
  }

  /// The radius in metres of a place that has neither an area nor a radius.
  public static let usualRadius = 3.0

  public var id: String
  public var kind: Kind
  /// The id of its level.
  public var level: String
  /// The point on the plan: that of the file, of the beacon, or the middle of the area.
  public var position: PlanPoint
  /// The area of the place; nil for a point.
  public var area: PlanPolygon?
  /// The distance in metres within which a visitor is at the place; nil if the file does not say.
  public var radius: Double?
  /// The beacon that stands for the place.
  public var beacon: BeaconIdentity?
  public var title: LocalizedText
  public var text: LocalizedText
  public var links: [Link]
  /// A file, or an address that begins with `https://`.
  ///
  /// The file is relative to the folder of the venue file until it is resolved.
  public var image: String?
  /// The commentary by language, in the same form as the image.
  public var audio: LocalizedText
  /// Whether visitors can see and recognise the place, so that directions may refer to it.
  public var isLandmark: Bool

  public init(
    id: String, kind: Kind = .other, level: String = VenueLevel.defaultID, position: PlanPoint, area: PlanPolygon? = nil,
    radius: Double? = nil, beacon: BeaconIdentity? = nil, title: LocalizedText = LocalizedText(), text: LocalizedText = LocalizedText(),
    links: [Link] = [], image: String? = nil, audio: LocalizedText = LocalizedText(), isLandmark: Bool = false
  ) {
    self.id = id
    self.kind = kind
    self.level = level
    self.position = position
    self.area = area
    self.radius = radius
    self.beacon = beacon
    self.title = title
    self.text = text
    self.links = links
    self.image = image
    self.audio = audio
    self.isLandmark = isLandmark
  }

  /// Returns the title in the reader's language, or the id of a place without a title.
  public func name(preferring languages: [String]) -> String { title.text(preferring: languages) ?? id }

  /// Returns the distance in metres on the plan: from the area, or from the position if there is none.
  public func distance(from point: PlanPoint) -> Double {
    guard let area else { return position.distance(to: point) }
    return area.contains(point) ? 0 : area.distanceToEdge(from: point)
  }
}
