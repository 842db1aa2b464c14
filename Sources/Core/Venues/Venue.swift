public import Beacons

/// A venue: its levels, beacons and places on one plan in metres, with y up.
///
/// References between its parts are ids. A venue that was read from a file has no dangling ones.
public struct Venue: Hashable, Sendable {
  /// The name for programs: that of the file, unless the file says otherwise.
  public var id: String
  public var name: LocalizedText
  /// The UUIDs of its beacons, the default one first.
  public var uuids: [BeaconUUID]
  /// The meaning of majors, such as `exhibit`.
  public var roles: [UInt16: String]
  /// The accuracy in metres that the venue promises; nil for none.
  /// Two thirds of the positions shall be closer to the truth.
  public var accuracy: Double?
  /// The location on the earth; nil if it is unknown.
  public var frame: VenueFrame?
  /// The radius in metres of its circle on the earth; nil for that of the outline and a margin.
  public var radius: Double?
  /// The app or page that visitors are offered; nil for none.
  public var nearby: VenueOffer?
  /// Whether the venue comes from an archive of another author. It launches nothing until the user allows it.
  public var isImported = false
  /// The levels in the order of the source, at least one.
  public var levels: [VenueLevel]
  public var walls: [VenueWall]
  public var beacons: [PlannedBeacon]
  public var places: [Place]
  public var nodes: [RouteNode]
  public var edges: [RouteEdge]
  public var lifts: [RouteLift]
  public var appointments: [Appointment]
  /// The iCalendar files with further appointments, relative to the folder of the venue file until they are resolved.
  public var calendars: [String] = []
  /// The signals at known places; nil without a survey.
  public var survey: VenueSurvey?

  /// The accuracies in metres that a venue can promise.
  public static let accuracies = 0.5...100.0

  public init(
    id: String, name: LocalizedText = LocalizedText(), uuids: [BeaconUUID] = [], roles: [UInt16: String] = [:], accuracy: Double? = nil,
    frame: VenueFrame? = nil, levels: [VenueLevel] = [VenueLevel()], walls: [VenueWall] = [], beacons: [PlannedBeacon] = [],
    places: [Place] = [], nodes: [RouteNode] = [], edges: [RouteEdge] = [], lifts: [RouteLift] = [], appointments: [Appointment] = []
  ) {
    self.id = id
    self.name = name
    self.uuids = uuids
    self.roles = roles
    self.accuracy = accuracy
    self.frame = frame
    self.levels = levels
    self.walls = walls
    self.beacons = beacons
    self.places = places
    self.nodes = nodes
    self.edges = edges
    self.lifts = lifts
    self.appointments = appointments
  }

  /// Returns the level; nil if the venue has none with this id.
  public func level(_ id: String) -> VenueLevel? { levels.first { $0.id == id } }

  /// Returns the name in the reader's language, or the id of a venue without a name.
  public func name(preferring languages: [String]) -> String { name.text(preferring: languages) ?? id }

  /// Returns the venue with the paths of its pictures, recordings and calendars below a folder. Addresses stay.
  ///
  /// - Parameter folder: ends with a slash, or is empty.
  public func resolvingFiles(in folder: String) -> Venue {
    func resolved(_ name: String) -> String { name.contains("://") ? name : folder + name }
    var venue = self
    venue.calendars = calendars.map { $0.hasPrefix("/") ? $0 : folder + $0 }
    for index in levels.indices { venue.levels[index].picture?.image = resolved(levels[index].picture?.image ?? "") }
    for (index, place) in places.enumerated() {
      venue.places[index].image = place.image.map(resolved)
      venue.places[index].audio = LocalizedText(
        place.audio.versions.map { LocalizedText.Version(language: $0.language, text: resolved($0.text)) })
    }
    return venue
  }

  /// Returns the extent of a level: of its walkable areas, walls, beacons and places; nil if it has none of these.
  public func bounds(ofLevel id: String) -> PlanBounds? {
    var points: [PlanPoint] = level(id)?.bounds?.corners ?? []
    for wall in walls where wall.level == id { points += [wall.from, wall.to] }
    points += beacons.filter { $0.level == id }.map(\.position)
    points += places.filter { $0.level == id }.map(\.position)
    return PlanBounds(of: points)
  }
}
