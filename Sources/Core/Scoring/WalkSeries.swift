import BeaconAdvertising
import IndoorPositioning
import Ranging
import Regions
import Venues

/// The common score of walks with one device, which keeps what it has learned from one walk to the next, as a daemon does.
public struct WalkSeries: Sendable {
  /// The score of all walks so far; nil before the first one.
  public private(set) var score: WalkScore?
  private let regions: [BeaconRegion]?
  private let places: [PlaceRegion]
  private let venues: [Venue]
  /// The learned offsets of each adapter, by the id of the venue.
  private var learned: [String: [UInt16: LearnedRadio]] = [:]

  /// - Parameter regions: the beacon regions; without any region, each beacon has one, as on a score without a config.
  public init(regions: [BeaconRegion] = [], places: [PlaceRegion] = [], venues: [Venue] = []) {
    self.regions = regions.isEmpty && places.isEmpty ? nil : regions
    (self.places, self.venues) = (places, venues)
  }

  /// Adds a walk, which follows the others in time.
  ///
  /// With venues, the score states the levels of the receivers, because positions depend on them.
  public mutating func add(_ trial: WalkTrial, _ settings: RangingSettings) {
    var score = trial.score(settings, regions: regions, places: places, venues: venues, learned: &learned)
    if !venues.isEmpty { score.receiverLevels = Set(trial.adapters.map(settings.level)) }
    if self.score == nil { self.score = score } else { self.score? += score }
  }
}
