import BeaconAdvertising
import Beacons
import IndoorPositioning
import Instants
import Motion
import Ranging
import Regions
import Venues

/// Estimates the position of the device in the configured venues, from the sightings of the beacons that they plan.
///
/// Only a venue whose beacons are heard costs processor time, and none while a fix of another source excludes it. A venue that cannot be
/// modelled has no position, and `problems` has the reason. Its beacons or fixes still decide whether the device is there.
public struct VenueTracker: Sendable {
  struct Target: Sendable {
    let room: Int
    let transmitter: Int
    /// Whether the venue states the power of the beacon, which then replaces the advertised one.
    let isMeasured: Bool
  }

  /// The reasons why venues have no indoor position, by their ids.
  public private(set) var problems: [String: RoomModelError] = [:]
  /// The last fix of another source; nil if none is valid.
  var lastFix: Fix?
  var rooms: [Room] = []
  /// The motion of the device.
  var motion = DeviceMotion.unknown {
    didSet { for index in rooms.indices { rooms[index].engine?.motion = motion } }
  }
  private(set) var targets: [BeaconIdentity: Target] = [:]
  var ranging: RangingSettings
  var watched: Set<VenueArea> = []
  private var uuids: Set<BeaconUUID> = []
  let receiver: FixedReceiver?

  /// Creates a tracker.
  ///
  /// - Parameters:
  ///   - receiver: the place of a device that never moves, which has no indoor position: distances follow the signal.
  ///   - learned: the learned offsets of each adapter, by the id of the venue.
  ///   - placements: the evidence about misplaced beacons, by the id of the venue.
  public init(
    _ venues: [Venue], ranging: RangingSettings = RangingSettings(), receiver: FixedReceiver? = nil,
    learned: [String: [UInt16: LearnedRadio]] = [:], placements: [String: [PlacementEvidence]] = [:]
  ) {
    self.ranging = ranging
    self.receiver = receiver
    for venue in venues {
      var engine: IndoorEngine?
      do throws(RoomModelError) {
        let model = try RoomModel(venue, offsets: ranging.beaconOffsets)
        engine = IndoorEngine(
          model: model, survey: SurveyMap(of: venue, model: model), calibration: ranging.calibration, learned: learned[venue.id] ?? [:],
          placements: placements[venue.id] ?? [])
      } catch {
        problems[venue.id] = error
      }
      for (transmitter, beacon) in venue.beacons.enumerated() where receiver == nil && targets[beacon.identity] == nil {
        targets[beacon.identity] = Target(room: rooms.count, transmitter: transmitter, isMeasured: beacon.power != nil)
      }
      rooms.append(Room(venue: venue, engine: engine, gate: VenueGate(venue.circle)))
    }
    uuids = Set(targets.keys.map(\.uuid))
  }

  /// Returns whether a venue plans a beacon of the constraint.
  public func plans(_ constraint: BeaconConstraint) -> Bool {
    if let major = constraint.major, let minor = constraint.minor {
      return targets[BeaconIdentity(uuid: constraint.uuid, major: major, minor: minor)] != nil
    }
    return uuids.contains(constraint.uuid) && targets.keys.contains(where: constraint.contains)
  }

  /// Whether a planned beacon was heard lately, so that every report with its RSSI is useful.
  public var hearsVenue: Bool { rooms.contains(where: \.isHeard) }

  /// Whether the device can be at a venue with beacons, so that they are worth hearing.
  public var isOpen: Bool { rooms.contains { $0.hasBeacons && !$0.gate.isClosed } }

  /// The accuracy in metres of the fixes that decide about watched venues without beacons; `nil` if there are none.
  var wantedAccuracy: Double? { rooms.compactMap(\.outline?.wantedAccuracy).min() }

  /// Forgets the position, because nothing needs it any more.
  mutating func rest(at time: Instant) {
    for index in rooms.indices { rooms[index].reset() }
    watch([], at: time)
    stopListening()
  }

  // MARK: Silence

  /// The silence of a venue after which the device is outside of it, if it was not heard before: that of beacon regions.
  static let listeningTime = BeaconRegion.defaultExitDelay

  /// Listens for the venues that are not heard, from `time` on.
  mutating func listen(from time: Instant) {
    for index in rooms.indices where !rooms[index].areas.isEmpty && !rooms[index].isHeard {
      rooms[index].silenceEnd = time + Self.listeningTime
    }
  }

  /// Ignores silence, because nothing can be heard.
  mutating func stopListening() {
    for index in rooms.indices { rooms[index].silenceEnd = .never }
  }

  /// Returns how regions judge the silence of the venues that was long enough at `time`.
  mutating func silences(at time: Instant) -> [PlaceEstimate] {
    var estimates: [PlaceEstimate] = []
    for index in rooms.indices where rooms[index].silenceEnd <= time {
      rooms[index].silenceEnd = .never
      estimates.append(Self.outside(rooms[index]))
    }
    return estimates
  }

  static func outside(_ room: Room) -> PlaceEstimate {
    PlaceEstimate(
      venue: room.venue.id, fix: nil, probabilities: Dictionary(room.areas.map { ($0, 0) }) { first, _ in first }, isLasting: true)
  }

  // MARK: Sightings and time

  /// The time of the next second or end of silence that is due; `.never` while no planned beacon is heard.
  public var nextDeadline: Instant { rooms.reduce(.never) { min($0, $1.deadline) } }

  /// Applies a sighting. The seconds up to its time must have been taken before.
  public mutating func hear(_ sighting: Sighting) {
    guard let target = targets[sighting.beacon], !rooms[target.room].gate.isClosed else { return }
    rooms[target.room].presence?.hear(at: sighting.time)
    rooms[target.room].lastHeard = sighting.time
    guard let rssi = sighting.rssi else { return }
    var level =
      Double(rssi) + ranging.rssiOffset + (ranging.beaconOffsets[sighting.beacon] ?? 0) + (ranging.adapterOffsets[sighting.adapter] ?? 0)
    if !target.isMeasured, PathLossModel.isPlausible(measuredPower: sighting.measuredPower) {
      level += RoomModel.referencePower - Double(sighting.measuredPower)
    }
    rooms[target.room].silenceEnd = .never
    rooms[target.room].engine?.hear(
      IndoorSighting(transmitter: target.transmitter, adapter: sighting.adapter, rssi: level, time: sighting.time))
  }

  /// Returns the outputs of the seconds that are due at `time`.
  mutating func advance(to time: Instant) -> [IndoorPosition] {
    var positions: [IndoorPosition] = []
    expireGates(through: time)
    for index in rooms.indices where rooms[index].nextSecond <= time {
      for output in rooms[index].engine?.step(EmptyCollection(), through: time) ?? [] {
        rooms[index].last = output.estimate == nil ? nil : output
        let point = output.estimate?.point
        let coordinate = point.flatMap { point in rooms[index].venue.frame?.coordinate(for: point) }
        positions.append(IndoorPosition(venue: rooms[index].venue.id, coordinate: coordinate, output: output))
      }
      // No beacon contradicts the fixes that exclude the venue any more.
      if !rooms[index].isHeard, rooms[index].gate.closeIfContradicted() { positions.append(leave(index, at: time)) }
    }
    for index in rooms.indices where rooms[index].doubtEnd <= time {
      if rooms[index].gate.closeIfContradicted() { positions.append(leave(index, at: time)) }
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

  /// Returns the beacons that are heard, with their distances, if the output decides about them; otherwise nothing.
  func located(_ position: IndoorPosition) -> [LocatedBeacon] {
    guard position.output.isGoodForDistances, let room = rooms.first(where: { $0.venue.id == position.venue }) else { return [] }
    return position.output.distances.map { entry in
      LocatedBeacon(room.venue.beacons[entry.transmitter].identity, metres: entry.distance.metres, deviation: entry.distance.deviation)
    }
  }

  /// Returns the probability in the last second that a beacon is closer than a distance in metres.
  func probability(of beacon: BeaconIdentity, within metres: Double) -> Double {
    targets[beacon].flatMap { rooms[$0.room].engine?.probability(of: $0.transmitter, within: metres) } ?? 0
  }

  /// Returns how regions judge an output; `nil` if it decides about none.
  func estimate(_ position: IndoorPosition) -> PlaceEstimate? {
    guard let room = rooms.first(where: { $0.venue.id == position.venue }) else { return nil }
    guard let estimate = position.output.estimate else {
      return position.output.absence == .outside ? Self.outside(room) : nil
    }
    guard position.output.isGoodForZones else { return nil }
    let fix = position.coordinate.map { Fix(place: $0, accuracy: estimate.accuracy, time: position.output.time) }
    return PlaceEstimate(
      venue: room.venue.id, fix: fix, probabilities: Dictionary(zip(room.areas, position.output.answers)) { first, _ in first })
  }
}
