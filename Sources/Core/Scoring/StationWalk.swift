public import BeaconAdvertising
import Beacons
import IndoorPositioning
public import Instants
public import SignalCalibration
public import Venues

/// A reason why names of stations are not a walk.
public struct StationWalkError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}

/// A walk past stations of a venue, straight and at a steady speed from each to the next.
public struct StationWalk: Hashable, Sendable {
  /// A place or a node of the venue.
  public struct Station: Hashable, Sendable {
    public let name: String
    /// The ordinal of its level.
    public let level: Int
    public let point: PlanPoint
  }

  public let stations: [Station]
  private let venue: Venue
  /// The speeds in metres a second of a walk; the greatest is that of a hurry.
  private static let speeds = 0.1...2.5
  /// The distance in metres between stations that shows a direction.
  private static let leastLength = 0.5
  /// The metres at both ends of a line that walls do not concern: a place may hang on a wall.
  private static let reach = 0.5

  /// - Parameter names: the ids of places or nodes, or the titles of places, in the order of the walk.
  public init(_ names: [String], in venue: Venue) throws(StationWalkError) {
    guard names.count >= 2 else {
      throw StationWalkError(description: "a route needs two places or more, such as entrance,desk")
    }
    self.venue = venue
    var stations: [Station] = []
    for name in names { stations.append(try Self.station(name, venue)) }
    self.stations = stations
    for (from, to) in zip(stations, stations.dropFirst()) where from.level == to.level {
      guard from.point.distance(to: to.point) >= Self.leastLength else {
        throw StationWalkError(description: "\"\(from.name)\" and \"\(to.name)\" are at the same point; name other places")
      }
      guard !hasWall(from, to) else {
        throw StationWalkError(
          description: "a wall stands between \"\(from.name)\" and \"\(to.name)\"; name the places or nodes that the way passes in between")
      }
    }
  }

  private static func station(_ name: String, _ venue: Venue) throws(StationWalkError) -> Station {
    let lowered = name.lowercased()
    let titled = venue.places.filter { $0.title.versions.contains { $0.text.lowercased() == lowered } }
    let found =
      venue.places.first { $0.id == name }.map { ($0.level, $0.position) } ?? venue.nodes.first { $0.id == name }.map {
        ($0.level, $0.position)
      } ?? (titled.count == 1 ? (titled[0].level, titled[0].position) : nil)
    guard let found else {
      let known = venue.places.map(\.id) + venue.nodes.map(\.id)
      let names = known.prefix(8).joined(separator: ", ") + (known.count > 8 ? " and \(known.count - 8) more" : "")
      throw StationWalkError(
        description: titled.count > 1
          ? "\"\(name)\" is the title of \(titled.count) places; write the id of one: \(titled.map(\.id).joined(separator: ", "))"
          : "\(venue.id) has no place or node \"\(name)\"; it has \(names.isEmpty ? "none" : names)")
    }
    return Station(name: name, level: venue.level(found.0)?.ordinal ?? 0, point: found.1)
  }

  private func hasWall(_ from: Station, _ to: Station) -> Bool {
    let length = from.point.distance(to: to.point)
    let inset = min(Self.reach, length / 3) / length
    let (a, b) = (from.point.towards(to.point, inset), from.point.towards(to.point, 1 - inset))
    return venue.walls.contains { venue.level($0.level)?.ordinal == from.level && $0.stands(between: a, and: b) }
  }

  /// The metres from a station to the next one; nil between levels, where no signals count.
  public func length(after index: Int) -> Double? {
    let (from, to) = (stations[index], stations[index + 1])
    return from.level == to.level ? from.point.distance(to: to.point) : nil
  }

  /// Returns whether the next station can have been reached in a time.
  public func canReach(_ index: Int, in time: Span) -> Bool {
    guard let length = length(after: index - 1) else { return time > .zero }
    return time.seconds > 0 && length / time.seconds <= Self.speeds.upperBound
  }

  /// Returns the times of all stations at a steady speed over a time; nil for a walk between levels.
  public func times(from start: Instant, until end: Instant) -> [Instant]? {
    let lengths = stations.indices.dropLast().compactMap(length)
    guard lengths.count == stations.count - 1 else { return nil }
    let whole = lengths.reduce(0, +)
    var (passed, times) = (0.0, [start])
    for length in lengths {
      passed += length
      times.append(start + Span(microseconds: Int64(Double((end - start).microseconds) * passed / whole)))
    }
    return times
  }

  /// Returns the signals of the venue's beacons on the level of the receiver, with their distances.
  ///
  /// - Parameters:
  ///   - times: those at which the stations were passed.
  ///   - height: of the receiver above the floor, in metres.
  public func samples(of sightings: [Sighting], at times: [Instant], height: Double) throws(StationWalkError) -> [SignalSample] {
    for index in stations.indices.dropFirst() {
      let time = times[index] - times[index - 1]
      guard canReach(index, in: time), (length(after: index - 1) ?? .infinity) / time.seconds >= Self.speeds.lowerBound else {
        let metres = length(after: index - 1).map { "\(($0 * 10).rounded() / 10) m " } ?? ""
        throw StationWalkError(
          description:
            "the way of \(metres)from \"\(stations[index - 1].name)\" to \"\(stations[index].name)\" took \((time.seconds * 10).rounded() / 10) s, which is not a walk at a steady speed; correct the times"
        )
      }
    }
    let positions = stations.map { SIMD3($0.point.x, $0.point.y, height) }
    guard let truth = WalkTruth(times: times, positions: positions, storeys: stations.map { Double($0.level) }) else { return [] }
    let levels = Dictionary(venue.beacons.map { ($0.identity, venue.level($0.level)?.ordinal) }) { first, _ in first }
    let beacons = BeaconPositions(
      venue.beacons.map { beacon in
        (beacon.identity, SIMD3(beacon.position.x, beacon.position.y, beacon.height ?? RoomTransmitter.usualHeight))
      })
    let heard = sightings.filter { sighting in
      guard let level = truth.level(at: sighting.time), let own = levels[sighting.beacon] else { return false }
      return own == level
    }
    do throws(PositionTableError) {
      return try truth.samples(of: heard, beacons)
    } catch {
      throw StationWalkError(description: error.message)
    }
  }
}
