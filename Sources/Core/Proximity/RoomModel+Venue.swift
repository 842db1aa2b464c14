import Beacons
import Geodesy
import IndoorPositioning
import RealModule
import Regions
import Venues

extension RoomModel {
  /// The RSSI in dBm at 1 m that is assumed for a planned beacon without a measured power.
  ///
  /// The sightings of such a beacon are converted by the power that it advertises.
  static let referencePower = -59.0
  /// Half the side in metres of the area around the door of a lift or an end of stairs.
  private static let doorstep = 1.5

  /// Creates the model of a venue. Levels with the same ordinal, as of two buildings, become one.
  ///
  /// - Parameter offsets: the dB that the configuration adds to the RSSI of beacons.
  init(_ venue: Venue, offsets: [BeaconIdentity: Double] = [:]) throws(RoomModelError) {
    let ordinals = Dictionary(venue.levels.map { ($0.id, $0.ordinal) }) { first, _ in first }
    let levels = Dictionary(grouping: venue.levels, by: \.ordinal).map { ordinal, levels in
      RoomLevel(
        ordinal: ordinal, elevation: Double(ordinal) * VenueLevel.storeyHeight, walkable: levels.flatMap(\.walkable),
        obstacles: levels.flatMap(\.voids))
    }
    let transmitters = venue.beacons.map { beacon in
      RoomTransmitter(
        identity: "\(beacon.identity)", level: ordinals[beacon.level] ?? 0, point: beacon.position,
        height: beacon.height ?? RoomTransmitter.usualHeight, power: beacon.power ?? Self.referencePower,
        offset: offsets[beacon.identity] ?? 0)
    }
    try self.init(levels: levels, transmitters: transmitters, passages: Self.passages(of: venue, ordinals))
  }

  private static func passages(of venue: Venue, _ ordinals: [String: Int]) -> [RoomPassage] {
    let nodes = Dictionary(venue.nodes.map { ($0.id, $0) }) { first, _ in first }
    func passage(_ ids: [String]) -> RoomPassage? {
      let stops = ids.compactMap { nodes[$0] }.compactMap { node in
        ordinals[node.level].map { RoomPassage.Stop(level: $0, area: [square(around: node.position)]) }
      }
      return Set(stops.map(\.level)).count > 1 ? RoomPassage(stops: stops.sorted { $0.level < $1.level }) : nil
    }
    return venue.edges.compactMap { passage([$0.from, $0.to]) } + venue.lifts.compactMap { passage($0.stops) }
  }

  private static func square(around point: PlanPoint) -> [PlanPoint] {
    let (d, x, y) = (doorstep, point.x, point.y)
    return [PlanPoint(x: x - d, y: y - d), PlanPoint(x: x + d, y: y - d), PlanPoint(x: x + d, y: y + d), PlanPoint(x: x - d, y: y + d)]
  }

  // MARK: Areas

  private static let circleCorners = 24

  /// Returns the cells of a place or a level; nil if the venue does not have it.
  ///
  /// A whole venue has none, because the position does not decide about it.
  func area(_ part: VenueArea.Part, of venue: Venue) -> RoomArea? {
    switch part {
    case .whole: return nil
    case .level(let id):
      guard let level = venue.level(id) else { return nil }
      return area([Self.everywhere], level: level.ordinal)
    case .place(let id):
      guard let place = venue.places.first(where: { $0.id == id }), let level = venue.level(place.level) else { return nil }
      let circle = Self.circle(around: place.position, radius: place.radius ?? Place.usualRadius)
      let rings = place.area.map { [$0.ring] + $0.holes } ?? [circle]
      return area(rings, level: level.ordinal)
    }
  }

  private static var everywhere: [PlanPoint] {
    let far = mostCoordinate
    return [PlanPoint(x: -far, y: -far), PlanPoint(x: far, y: -far), PlanPoint(x: far, y: far), PlanPoint(x: -far, y: far)]
  }

  private static func circle(around center: PlanPoint, radius: Double) -> [PlanPoint] {
    (0..<circleCorners).map { corner in
      let angle = 2 * Double.pi * Double(corner) / Double(circleCorners)
      return PlanPoint(x: center.x + radius * Double.cos(angle), y: center.y + radius * Double.sin(angle))
    }
  }
}

extension SurveyMap {
  /// Creates the map of a venue's survey; nil without readings.
  init?(of venue: Venue, model: RoomModel) {
    guard let readings = venue.survey?.readings, !readings.isEmpty else { return nil }
    let ordinals = Dictionary(venue.levels.map { ($0.id, $0.ordinal) }) { first, _ in first }
    let transmitters = Dictionary(venue.beacons.enumerated().map { ($1.identity, $0) }) { first, _ in first }
    self.init(
      readings.compactMap { reading in
        guard let transmitter = transmitters[reading.beacon], let level = ordinals[reading.level] else { return nil }
        return SurveyReading(transmitter: transmitter, level: level, point: reading.point, height: reading.height, rssi: reading.rssi)
      }, model: model,
      // Visitors carry their devices as the surveyor did.
      receiverHeight: readings.reduce(0) { $0 + $1.height } / Double(readings.count))
  }
}
