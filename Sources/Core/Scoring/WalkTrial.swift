import BeaconAdvertising
import Beacons
import IndoorPositioning
import Instants
import Proximity
import Ranging
import Regions
import Venues

/// Runs an engine over a recorded walk, as the daemon would, and scores its output.
public struct WalkTrial: Sendable {
  private let truth: WalkTruth
  private let positions: BeaconPositions
  private let sightings: [Sighting]
  /// The receivers of the recording.
  let adapters: Set<UInt16>

  /// The `within` of the regions of a trial without configured regions, in metres.
  public static let defaultWithin = 3.0

  /// - Parameter sightings: in the order of the capture; beacons without a position are ignored.
  public init(_ sightings: [Sighting], truth: WalkTruth, positions: BeaconPositions) {
    self.truth = truth
    self.positions = positions
    adapters = Set(sightings.map(\.adapter))
    self.sightings = sightings.filter { positions.index(of: $0.beacon) != nil }
  }

  /// Whether a beacon with a position is heard while the true position is known.
  public var isMeaningful: Bool { sightings.contains { $0.time >= truth.start + WalkScorer.settling && $0.time <= truth.end } }

  /// Returns the score of an engine.
  ///
  /// - Parameters:
  ///   - regions: the regions to score, of which those with `within` count; `nil` for one around each beacon.
  ///   - places: the place regions to score, as far as the venues have their places.
  ///   - venues: the venues of the beacons, whose plans must be in the plane of the true positions.
  ///   - receptions: the learned reception of the beacons, for ranging without a position.
  public func score(
    _ settings: RangingSettings = RangingSettings(), regions: [BeaconRegion]? = nil, places: [PlaceRegion] = [], venues: [Venue] = [],
    receptions: [BeaconIdentity: [LearnedReception]] = [:]
  ) -> WalkScore {
    var learned: [String: [UInt16: LearnedRadio]] = [:]
    return score(settings, regions: regions, places: places, venues: venues, receptions: receptions, learned: &learned)
  }

  /// Returns the score of an engine that continues with the learned offsets of the walks before, as a daemon does.
  ///
  /// - Parameter learned: the learned offsets of each adapter, by the id of the venue.
  public func score(
    _ settings: RangingSettings = RangingSettings(), regions: [BeaconRegion]? = nil, places: [PlaceRegion] = [], venues: [Venue] = [],
    receptions: [BeaconIdentity: [LearnedReception]] = [:], learned: inout [String: [UInt16: LearnedRadio]]
  ) -> WalkScore {
    let heard = Set(sightings.map(\.beacon))
    let uuids = Set(heard.map(\.uuid))
    // Regions of other UUIDs belong to other places.
    let monitored = regions?.filter { uuids.contains($0.constraint.uuid) } ?? heard.sorted().map(Self.region)
    var zones = monitored.compactMap { ScoredZone($0, positions) }
    zones += places.compactMap { region in venues.lazy.compactMap { ScoredZone(region, in: $0) }.first }
    if regions == nil {
      // The visits of beacons that are never heard are missed.
      let silent = positions.entries.indices.filter { index in !heard.contains { positions.index(of: $0) == index } }
      zones += silent.map { index in
        ScoredZone(identifier: "silent \(index)", beacons: [index], within: Self.defaultWithin, leaveBeyond: 1.5 * Self.defaultWithin)
      }
    }
    var scorer = WalkScorer(truth, positions, zones: zones)
    guard let first = sightings.first else { return scorer.finish() }
    var engine = ProximityEngine(settings: EngineSettings(ranging: settings), at: first.time)
    engine.replaceRegions(with: monitored.map { .beacon($0) } + places.map { .place($0) }, at: first.time)
    for uuid in uuids { engine.startRanging(BeaconConstraint(uuid: uuid)) }
    var driver = EngineDriver(engine: engine)
    driver.replaceVenues(with: venues, learned: learned)
    if !receptions.isEmpty { driver.adjust { $0.learn(receptions) } }
    // Silence after the last sighting counts as well.
    for output in driver.step(sightings, through: max(first.time, truth.end)) { scorer.take(output) }
    if let tracker = driver.tracker { learned = tracker.learned }
    return scorer.finish()
  }

  private static func region(_ beacon: BeaconIdentity) -> BeaconRegion {
    BeaconRegion(
      identifier: "\(beacon.uuid)/\(beacon.major)/\(beacon.minor)",
      constraint: BeaconConstraint(uuid: beacon.uuid, major: beacon.major, minor: beacon.minor),
      nearness: BeaconRegion.Nearness(within: defaultWithin))
  }
}
