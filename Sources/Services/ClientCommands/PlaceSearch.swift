import Failures
import Instants
import Locations
import Records
import Scheduling
import Venues

/// A position with the places next to it.
public struct PlacedPosition: Hashable, Sendable {
  public let location: LocationReport
  public let nearest: [PlaceReport]

  public init(location: LocationReport, nearest: [PlaceReport]) {
    (self.location, self.nearest) = (location, nearest)
  }

  /// The location with the places under the key `nearest`.
  public var record: Record {
    var record = location.record
    record.append("nearest", .list(nearest.map(\.record)))
    return record
  }
}

/// Finds the present place of the device and the places next to it, once or again with each position.
public final class PlaceSearch {
  /// The number of places next to a position.
  static let neighbours = 3
  /// The longest time to wait for an address.
  static let addressPatience = Span.seconds(5)
  /// The accuracy of a location that reports none, in metres.
  private static let coarse = 10_000.0
  static let noVenue = Failure(
    .unavailable, "beaconmond has no venue; add its file to beaconmon.toml, such as venues = [\"gallery.toml\"], and reload beaconmond")

  /// The receiver of each position.
  public var onPosition: (PlacedPosition) -> Void = { _ in }
  /// The receiver of each reason for a lack of positions or places, if the search does not end.
  public var onNote: (String) -> Void = { _ in }
  /// The receiver of the end of the search; with nil after its position.
  public var onEnd: (Failure?) -> Void = { _ in }

  private let scheduler: any Scheduler
  private let link: any PlaceLink
  private let timeout: Span
  private let isEndless: Bool
  private var updates: AnyObject?
  /// The request for a location whose answer waits for the address, as updates do not.
  private var search: AnyObject?
  /// The names of the venues; nil until the daemon has answered.
  private var venues: [String]?
  /// The last position, which may be in no venue.
  private var last: LocationReport?
  private var reason: String?
  private var hasShown = false
  private var deadline: (any SchedulerTimer)?

  /// - Parameters:
  ///   - timeout: the longest time to wait for a position in a venue, if the search ends.
  ///   - isEndless: whether the search continues after its first position.
  public init(_ scheduler: any Scheduler, _ link: any PlaceLink, timeout: Span, isEndless: Bool) {
    (self.scheduler, self.link, self.timeout, self.isEndless) = (scheduler, link, timeout, isEndless)
    deadline = scheduler.timer { [unowned self] in giveUp() }
  }

  /// Starts the search when the daemon is there.
  public func start() {
    link.requestPlans { [weak self] in
      switch $0 {
      case .success(let plans): self?.begin(plans)
      case .failure(let refusal): self?.onEnd(refusal.failure)
      }
    }
  }

  /// Ends all requests to the daemon.
  public func end() { (updates, search) = (nil, nil) }

  private func begin(_ plans: [PlanReport]) {
    var names: [String] = []
    for name in plans.compactMap({ $0.venueName ?? $0.venue }) where !names.contains(name) { names.append(name) }
    venues = names
    updates = link.follow { [weak self] in self?.take($0) }
    if !isEndless { deadline?.arm(at: scheduler.now + timeout) }
  }

  private func take(_ update: PlaceUpdate) {
    switch update {
    case .located(let location): take(location)
    case .unknown(let reason):
      self.reason = reason
      if isEndless { onNote(reason) }
    case .refused(let refusal):
      // Venues are a source of locations, so that their lack is the reason.
      onEnd(venues?.isEmpty == true && refusal.cause != .noPermission ? Self.noVenue : refusal.failure)
    }
  }

  private func take(_ location: LocationReport) {
    last = location
    if venues?.isEmpty == true, location.description == nil, !hasShown { return findAddress(of: location, or: Self.noVenue) }
    // The first position in a venue takes some seconds. Until then another source may report one without a floor.
    guard isEndless || location.level != nil || venues?.isEmpty == true else { return }
    finish(location)
  }

  /// Requests the address of a location, once.
  ///
  /// - Parameter failure: the end of the program if there is none.
  private func findAddress(of location: LocationReport, or failure: Failure) {
    guard search == nil else { return }
    // As accurate as the known location, so that the search ends at once.
    let accuracy = (location.horizontalAccuracy ?? Self.coarse) * 1.001
    search = link.locate(accuracy: accuracy, timeout: Self.addressPatience) { [weak self] location in
      guard let self else { return }
      if let location, location.description != nil { finish(location) } else { onEnd(failure) }
    }
  }

  private func finish(_ location: LocationReport) {
    guard let venue = location.venue, let latitude = location.latitude, let longitude = location.longitude else {
      return present(PlacedPosition(location: location, nearest: []))
    }
    let point = PlacePoint(latitude: latitude, longitude: longitude, venue: venue, level: location.level)
    link.requestPlaces(near: point, limit: Self.neighbours) { [weak self] in
      switch $0 {
      case .success(let places): self?.present(PlacedPosition(location: location, nearest: places))
      // A reload has removed the venue meanwhile.
      case .failure(let refusal) where refusal.cause == .noSuchVenue:
        self?.present(PlacedPosition(location: location, nearest: []))
      case .failure(let refusal): self?.fail(refusal)
      }
    }
  }

  private func present(_ position: PlacedPosition) {
    guard isEndless || !hasShown else { return }
    hasShown = true
    onPosition(position)
    if !isEndless { onEnd(nil) }
  }

  /// Reports that the daemon has not said which places are near; only the next position asks again.
  private func fail(_ refusal: PlaceRefusal) {
    if isEndless { onNote("the nearest places are unknown: \(refusal.message)") } else { onEnd(refusal.failure) }
  }

  private func giveUp() {
    if let last, last.description != nil { return finish(last) }
    guard venues?.isEmpty == false else { return onEnd(Self.noVenue) }
    let names = (venues ?? []).map { "\"\($0)\"" }.joined(separator: ", ")
    let cause = last == nil ? reason ?? "no source has a fix; see \"beaconmon status\"" : "its location is outside of them"
    let failure = Failure(.temporaryFailure, "this device is in no known venue (\(names)): \(cause)")
    if let last { findAddress(of: last, or: failure) } else { onEnd(failure) }
  }
}
