/// A storey of a venue.
public struct VenueLevel: Hashable, Sendable {
  /// The height in metres from one level to the next, which a venue does not state.
  public static let storeyHeight = 4.0
  /// The id of the level of a venue that names none.
  public static let defaultID = "ground"

  public var id: String
  /// The number of the storey: zero is the ground floor, and lower ones are negative.
  ///
  /// It orders the levels. People see the name.
  public var ordinal: Int
  public var name: LocalizedText
  /// A name for a button, such as `1`.
  public var shortName: LocalizedText
  public var picture: PlanPicture?
  /// The areas where visitors can be; empty if they are unknown.
  public var walkable: [PlanPolygon]
  /// Areas within the walkable ones where no visitor can be, such as an atrium.
  public var voids: [PlanPolygon]
  /// Whether a wheelchair passes everywhere on the floor, for edges and ways that state nothing else.
  public var wheelchair: WheelchairAccess

  public init(
    id: String = defaultID, ordinal: Int = 0, name: LocalizedText = LocalizedText(), shortName: LocalizedText = LocalizedText(),
    picture: PlanPicture? = nil, walkable: [PlanPolygon] = [], voids: [PlanPolygon] = [], wheelchair: WheelchairAccess = .unknown
  ) {
    self.id = id
    self.ordinal = ordinal
    self.name = name
    self.shortName = shortName
    self.picture = picture
    self.walkable = walkable
    self.voids = voids
    self.wheelchair = wheelchair
  }

  /// Returns whether a visitor can be at the point; nil if the walkable areas are unknown.
  public func isWalkable(_ point: PlanPoint) -> Bool? {
    guard !walkable.isEmpty else { return nil }
    return walkable.contains { $0.contains(point) } && !voids.contains { $0.contains(point) }
  }

  /// Returns the distance in metres from the nearest walkable area: zero inside, nil if they are unknown.
  ///
  /// Voids are ignored.
  public func distanceFromWalkable(_ point: PlanPoint) -> Double? {
    guard !walkable.isEmpty else { return nil }
    if walkable.contains(where: { $0.contains(point) }) { return 0 }
    return walkable.map { $0.distanceToEdge(from: point) }.min()
  }

  /// The extent of the walkable areas; nil if they are unknown.
  public var bounds: PlanBounds? {
    PlanBounds(of: walkable.flatMap(\.bounds.corners))
  }
}

/// A picture of a level's plan, placed on the earth by anchors.
public struct PlanPicture: Hashable, Sendable {
  /// The file, relative to the folder of the venue file until it is resolved.
  public var image: String
  /// The size in pixels.
  public var width: Int
  public var height: Int
  /// The transform between pixels, from the top left corner with y down, and the earth; nil without anchors.
  public var transform: PlanTransform?

  public init(image: String, width: Int, height: Int, transform: PlanTransform? = nil) {
    self.image = image
    self.width = width
    self.height = height
    self.transform = transform
  }
}
