import Beacons
import Events
import IndoorPositioning
import Instants
import Proximity
import Ranging
import Regions
import Venues

/// Compares the output of an engine on one walk with the true positions, second by second.
public struct WalkScorer: Sendable {
  private let truth: WalkTruth
  private let positions: BeaconPositions
  private let zones: [ScoredZone]
  private let numbers: [String: Int]
  private var crossings: [[ZoneCrossing]]
  private var score: WalkScore

  /// The time at the start of a walk that does not count, because the filters start then.
  public static let settling = Span.seconds(3)

  /// - Parameter zones: with different identifiers.
  public init(_ truth: WalkTruth, _ positions: BeaconPositions, zones: [ScoredZone]) {
    (self.truth, self.positions, self.zones) = (truth, positions, zones)
    numbers = Dictionary(zones.enumerated().map { ($0.element.identifier, $0.offset) }, uniquingKeysWith: { first, _ in first })
    crossings = zones.map { _ in [] }
    score = WalkScore(zones: ZoneScore(span: truth.end - truth.start))
  }

  /// Applies an output of the engine whose clock counts from the Unix epoch, as that of a capture does.
  public mutating func take(_ output: EngineDriver.Output) {
    switch output {
    case .snapshots(let snapshots, let time): compare(snapshots.values.flatMap(\.self).sorted(by: RangedBeacon.precedes), at: time)
    case .event(let event): note(event.transition)
    case .positioned(let position):
      guard let estimate = position.output.estimate else { break }
      locate(x: estimate.point.x, y: estimate.point.y, accuracy: estimate.accuracy, level: estimate.level, at: position.output.time)
    case .scanned: break
    }
  }

  /// Compares a position in metres, in the plane of the true positions.
  ///
  /// - Parameters:
  ///   - accuracy: one sigma in metres; `nil` if unknown.
  ///   - level: the ordinal of the level; `nil` if unknown.
  public mutating func locate(x: Double, y: Double, accuracy: Double?, level: Int? = nil, at time: Instant) {
    guard isScored(time) else { return }
    if let level, let real = truth.level(at: time) {
      score.levels.count += 1
      if level != real { score.levels.wrong += 1 }
    }
    let real = truth.position(at: time)
    let error = ((x - real.x) * (x - real.x) + (y - real.y) * (y - real.y)).squareRoot()
    score.positionErrors.append(error)
    guard let accuracy else { return }
    score.coveredPositions.count += 1
    if error <= accuracy { score.coveredPositions.hits += 1 }
  }

  /// Returns the score of the walk.
  public consuming func finish() -> WalkScore {
    for (zone, reported) in zip(zones, crossings) {
      score.zones.add(zone, truth, zone.distances(truth, positions), reported: reported)
    }
    return score
  }

  private func isScored(_ time: Instant) -> Bool { time >= truth.start + Self.settling && time <= truth.end }

  private mutating func compare(_ beacons: [RangedBeacon], at time: Instant) {
    guard isScored(time) else { return }
    let real = positions.distances(from: truth.position(at: time))
    score.seconds += 1
    let known = beacons.compactMap { beacon in positions.index(of: beacon.beacon).map { (beacon, real[$0], $0) } }
      .filter { $0.0.distance != nil }
    if let first = known.first, let shortest = real.min(), real[first.2] == shortest { score.nearestHits += 1 }
    for (beacon, distance, _) in known {
      let error = abs((beacon.distance ?? 0) - distance)
      score.distanceErrors.append(error)
      if distance < WalkScore.shortDistance { score.shortDistanceErrors.append(error) }
      guard let accuracy = beacon.accuracy else { continue }
      if error <= accuracy { score.withinAccuracy.one += 1 }
      if error <= 2 * accuracy { score.withinAccuracy.two += 1 }
    }
  }

  private mutating func note(_ transition: RegionTransition) {
    guard transition.kind == .enter || transition.kind == .exit, truth.start <= transition.time, transition.time <= truth.end,
      let zone = numbers[transition.region.identifier]
    else { return }
    crossings[zone].append(ZoneCrossing(isEnter: transition.kind == .enter, at: transition.time))
  }
}
