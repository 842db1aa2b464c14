public import Failures
public import Status

/// The venue and the receiver whose learned offsets a user has chosen.
public struct LearnedSelection: Hashable, Sendable {
  /// The id of the venue; nil for all venues.
  private let venue: String?
  /// The address of the adapter; nil for all adapters.
  private let adapter: String?

  public init(venue: String?, adapter: String?) { (self.venue, self.adapter) = (venue, adapter) }

  /// Returns the chosen venues of a daemon with all their receivers; throws the reason if there is none.
  public func venues(of status: MonitorStatus) throws(Failure) -> [VenueStatus] {
    let venues = (status.venues ?? []).filter { venue == nil || $0.venue == venue }
    guard !venues.isEmpty else {
      throw Failure(
        .dataError, venue.map { "there is no venue \"\($0)\"; \"beaconmon status\" lists the venues" } ?? "the config has no venue")
    }
    return venues
  }

  /// Returns a venue with the chosen receivers.
  public func receivers(of venue: VenueStatus) -> VenueStatus {
    var venue = venue
    venue.receivers = venue.receivers?.filter { adapter == nil || $0.adapter == adapter }
    return venue
  }
}
