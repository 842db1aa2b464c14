import BeaconAdvertising
import Beacons
import Geodesy
import IndoorPositioning
import Instants
import Ranging
import Regions
import Venues

/// The output of one second in one venue.
public struct IndoorPosition: Hashable, Sendable {
  /// The id of the venue.
  public let venue: String
  /// The position on the earth; `nil` without an estimate, or for a venue whose location is unknown.
  public let coordinate: Coordinate?
  /// The position on the plan, or the reason why there is none.
  public let output: IndoorOutput
}

/// Estimates the position of the device in the configured venues, from the sightings of the beacons that they plan.
///
/// Only the venue whose beacons are heard costs anything. Venues that cannot be modelled are skipped; `problems` says why.
public struct VenueTracker: Sendable {
  /// A venue with the engine that follows the device through it.
  private struct Room: Sendable {
    let venue: Venue
    var engine: IndoorEngine
    /// The areas that regions monitor, in the order of the engine's queries.
    var areas: [VenueArea] = []
    /// The last second with an estimate.
    var last: IndoorOutput?
  }

  private struct Target: Sendable {
    let room: Int
    let transmitter: Int
    /// Whether the venue states the power of the beacon, which then replaces the advertised one.
    let isMeasured: Bool
  }

  /// The reasons why venues have no indoor position, by their ids.
  public private(set) var problems: [String: RoomModelError] = [:]
  private var rooms: [Room] = []
  private var targets: [BeaconIdentity: Target] = [:]
  private var ranging: RangingSettings
  private var watched: Set<VenueArea> = []

  /// Creates a tracker.
  ///
  /// - Parameters:
  ///   - learned: the learned offsets of each adapter, by the id of the venue.
  public init(_ venues: [Venue], ranging: RangingSettings = RangingSettings(), learned: [String: [UInt16: LearnedRadio]] = [:]) {
    self.ranging = ranging
    for venue in venues {
      do throws(RoomModelError) {
        let model = try RoomModel(venue)
        for (transmitter, beacon) in venue.beacons.enumerated() where targets[beacon.identity] == nil {
          targets[beacon.identity] = Target(room: rooms.count, transmitter: transmitter, isMeasured: beacon.power != nil)
        }
        rooms.append(Room(venue: venue, engine: IndoorEngine(model: model, learned: learned[venue.id] ?? [:])))
      } catch {
        problems[venue.id] = error
      }
    }
  }

  /// The learned offsets of each adapter, by the id of the venue.
  public var learned: [String: [UInt16: LearnedRadio]] {
    Dictionary(rooms.map { ($0.venue.id, $0.engine.learned) }) { first, _ in first }
  }

  /// Forgets what was learned about all adapters.
  public mutating func resetLearning() {
    for index in rooms.indices { rooms[index].engine.resetLearning() }
  }

  /// Changes the calibration, which applies from the next sighting on.
  public mutating func calibrate(_ ranging: RangingSettings) {
    self.ranging = ranging
  }

  /// Returns whether a venue plans a beacon of the constraint.
  public func plans(_ constraint: BeaconConstraint) -> Bool { targets.keys.contains(where: constraint.contains) }

  /// Whether a planned beacon was heard lately, so that every report with its RSSI is useful.
  public var isAwake: Bool { nextDeadline != .never }

  /// Forgets the position, because nothing needs it any more.
  mutating func rest() {
    for index in rooms.indices where rooms[index].engine.nextDeadline != .never {
      rooms[index].engine = IndoorEngine(model: rooms[index].engine.model, learned: rooms[index].engine.learned)
      rooms[index].last = nil
    }
    watch([])
  }

  // MARK: Areas

  /// Sets the areas whose probabilities are computed each second.
  /// Finding the cells of an area costs a look at each cell, so it is done once.
  mutating func watch(_ areas: Set<VenueArea>) {
    guard areas != watched else { return }
    watched = areas
    for index in rooms.indices {
      let room = rooms[index]
      let cells = areas.sorted(by: VenueArea.precedes).compactMap { area -> (VenueArea, RoomArea)? in
        guard area.venue == nil || area.venue == room.venue.id else { return nil }
        return room.engine.model.area(area.part, of: room.venue).map { (area, $0) }
      }
      rooms[index].areas = cells.map(\.0)
      rooms[index].engine.queries = cells.map { .inside($0.1) }
    }
  }

  // MARK: Sightings and time

  /// The time of the next second that is due; `.never` while no planned beacon is heard.
  public var nextDeadline: Instant { rooms.reduce(.never) { min($0, $1.engine.nextDeadline) } }

  /// Applies a sighting. The seconds up to its time must have been taken before.
  public mutating func hear(_ sighting: Sighting) {
    guard let target = targets[sighting.beacon], let rssi = sighting.rssi else { return }
    var level =
      Double(rssi) + ranging.rssiOffset + (ranging.beaconOffsets[sighting.beacon] ?? 0) + (ranging.adapterOffsets[sighting.adapter] ?? 0)
    if !target.isMeasured, PathLossModel.isPlausible(measuredPower: sighting.measuredPower) {
      level += RoomModel.referencePower - Double(sighting.measuredPower)
    }
    rooms[target.room].engine.hear(
      IndoorSighting(transmitter: target.transmitter, adapter: sighting.adapter, rssi: level, time: sighting.time))
  }

  /// Returns the outputs of the seconds that are due at `time`.
  mutating func advance(to time: Instant) -> [IndoorPosition] {
    var positions: [IndoorPosition] = []
    for index in rooms.indices where rooms[index].engine.nextDeadline <= time {
      for output in rooms[index].engine.step(EmptyCollection(), through: time) {
        rooms[index].last = output.estimate == nil ? nil : output
        let point = output.estimate?.point
        let coordinate = point.flatMap { point in rooms[index].venue.frame?.coordinate(for: point) }
        positions.append(IndoorPosition(venue: rooms[index].venue.id, coordinate: coordinate, output: output))
      }
    }
    return positions
  }

  /// Returns the beacons, nearest first, with the distances of the last second if that is current.
  func refined(_ beacons: [RangedBeacon], at time: Instant) -> [RangedBeacon] {
    let distances = rooms.map { room in
      room.last.flatMap { time - $0.time <= .seconds(1) ? $0.distances : nil }.map { distances in
        Dictionary(distances.map { ($0.transmitter, $0.distance) }) { first, _ in first }
      }
    }
    guard distances.contains(where: { $0 != nil }) else { return beacons }
    return beacons.map { beacon in
      guard beacon.distance != nil, let target = targets[beacon.beacon], let distance = distances[target.room]?[target.transmitter] else {
        return beacon
      }
      return beacon.located(at: distance.metres, deviation: distance.deviation)
    }
    .sorted(by: RangedBeacon.precedes)
  }

  /// Returns how regions judge an output; `nil` if it says nothing about them.
  func estimate(_ position: IndoorPosition) -> PlaceEstimate? {
    guard let room = rooms.first(where: { $0.venue.id == position.venue }) else { return nil }
    guard let estimate = position.output.estimate else {
      guard position.output.absence == .outside else { return nil }
      return PlaceEstimate(fix: nil, probabilities: Dictionary(room.areas.map { ($0, 0) }) { first, _ in first }, isLasting: true)
    }
    guard position.output.isGoodForZones else { return nil }
    let fix = position.coordinate.map { Fix(place: $0, accuracy: estimate.accuracy, time: position.output.time) }
    return PlaceEstimate(fix: fix, probabilities: Dictionary(zip(room.areas, position.output.answers)) { first, _ in first })
  }
}

extension VenueArea {
  fileprivate static func precedes(_ a: VenueArea, _ b: VenueArea) -> Bool { a.sortKey.lexicographicallyPrecedes(b.sortKey) }

  private var sortKey: [String] { [venue ?? "", level ?? "", place ?? ""] }
}
