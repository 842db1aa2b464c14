import Headings
import Instants
import Locations

/// The updates of one client: its filter, and the latest update and status that it received.
struct HeadingClient {
  let request: HeadingRequest
  private var magneticFilter: HeadingFilter
  private var trueFilter: HeadingFilter
  /// The angles of the latest update that the client received.
  private var hadMagnetic = false
  private var hadTrue = false
  private var accuracy: Double?
  /// The time since which the accuracy differs from that of the latest update.
  private var accuracyChange: Instant?
  private var kind: HeadingUpdate.Kind?
  private var field: SpaceVector?
  /// The time of the latest update.
  private var time: Instant?
  private(set) var failure: HeadingFailure.Reason?
  private(set) var calibration: CalibrationStatus?
  private var isDismissed = false

  /// The noise of a field in µT that is not a change.
  private static let fieldNoise = 1.0
  /// The factor and the degrees by which the accuracy must have changed to be sent while the device rests.
  private static let clearly = (factor: 2.0, degrees: 1.0)
  /// The time for which such a change has to last: each movement widens the accuracy for a moment.
  private static let patience = Span.seconds(2)

  /// Returns nil for a filter that is out of range.
  init?(_ request: HeadingRequest) {
    guard let filter = HeadingFilter(degrees: request.filter) else { return nil }
    (self.request, magneticFilter, trueFilter) = (request, filter, filter)
  }

  /// Takes over the state of the same client's previous request.
  mutating func keep(_ previous: HeadingClient) {
    (failure, calibration, isDismissed) = (previous.failure, previous.calibration, previous.isDismissed)
  }

  /// Returns whether the client receives the update.
  ///
  /// - Parameters:
  ///   - latest: the field; nil for a compass that does not report it.
  ///   - now: the time on the scheduler's clock.
  mutating func accepts(_ update: HeadingUpdate, field latest: SpaceVector?, at now: Instant) -> Bool {
    let isNews = isNews(update, field: latest, at: now)
    kind = update.kind
    if isNews { time = now }
    return isNews
  }

  private mutating func isNews(_ update: HeadingUpdate, field latest: SpaceVector?, at now: Instant) -> Bool {
    let isDue = request.interval.flatMap { interval in time.map { now - $0 >= interval } } ?? false
    if update.hasDirection {
      if kind != update.kind || isDue { resetFilters() }
      failure = nil
      guard passes(update, at: now) else { return false }
      field = latest
      return true
    }
    // The source works again, even if it has no direction yet.
    if failure == .unavailable { failure = nil }
    // The first update without a direction withdraws the last one.
    let isFirst = kind != nil || time == nil || isDue
    guard !isFirst, request.filter > 0, let latest else {
      field = latest
      return isFirst || latest != nil
    }
    guard let field else {
      field = latest
      return true
    }
    // A field has no heading to compare, so its change across the filter's angle counts.
    let angle = request.filter * .pi / 180
    guard (latest - field).length > max(Self.fieldNoise, angle * field.length) else { return false }
    self.field = latest
    return true
  }

  /// Returns whether one of the two angles has turned far enough, or has become known or unknown.
  private mutating func passes(_ update: HeadingUpdate, at now: Instant) -> Bool {
    let (magnetic, trueHeading) = (update.magneticHeading, update.trueHeading)
    var (magneticTrial, trueTrial) = (magneticFilter, trueFilter)
    var passes = (magnetic != nil) != hadMagnetic || (trueHeading != nil) != hadTrue
    if let magnetic, magneticTrial.accepts(magnetic) { passes = true }
    if let trueHeading, trueTrial.accepts(trueHeading) { passes = true }
    if hasNewAccuracy(update, at: now) { passes = true }
    guard passes else { return false }
    resetFilters()
    if let magnetic { _ = magneticFilter.accepts(magnetic) }
    if let trueHeading { _ = trueFilter.accepts(trueHeading) }
    (hadMagnetic, hadTrue) = (magnetic != nil, trueHeading != nil)
    (accuracy, accuracyChange) = (update.accuracy ?? update.trueAccuracy, nil)
    return true
  }

  /// Returns whether the accuracy has become known or unknown, or has clearly differed from the latest update for a while.
  private mutating func hasNewAccuracy(_ update: HeadingUpdate, at now: Instant) -> Bool {
    let latest = update.accuracy ?? update.trueAccuracy
    guard let latest, let accuracy else { return latest != nil || accuracy != nil }
    let (worse, better) = (max(latest, accuracy), min(latest, accuracy))
    guard worse >= Self.clearly.factor * better, worse - better >= Self.clearly.degrees else {
      accuracyChange = nil
      return false
    }
    let since = accuracyChange ?? now
    accuracyChange = since
    return now - since >= Self.patience
  }

  private mutating func resetFilters() {
    magneticFilter.reset()
    trueFilter.reset()
  }

  /// Returns whether a failure has to be reported to the client: once for each loss.
  mutating func accepts(_ reason: HeadingFailure.Reason) -> Bool {
    guard failure != reason else { return false }
    failure = reason
    resetFilters()
    // A device at rest reports its field after the failure.
    if reason == .unavailable { (field, time) = (nil, nil) }
    return true
  }

  /// Returns the status to report to the client now; nil for none.
  mutating func changed(_ status: CalibrationStatus) -> CalibrationStatus? {
    guard status.isNeeded == true else {
      let wasNeeded = calibration != nil && !isDismissed
      (calibration, isDismissed) = (nil, false)
      return wasNeeded ? status : nil
    }
    guard !isDismissed, status != calibration else { return nil }
    calibration = status
    return status
  }

  /// Returns whether a need was shown that ends with the loss of its sensor. A dismissal stays valid for the same sensor.
  mutating func loseSensor() -> Bool {
    let wasShown = calibration != nil && !isDismissed
    calibration = nil
    return wasShown
  }

  /// Whether a need was reported to the client, or the client has dismissed one.
  var hasNeed: Bool { calibration != nil || isDismissed }

  /// Returns whether a need was shown that is dismissed now.
  mutating func dismiss() -> Bool {
    guard calibration != nil, !isDismissed else { return false }
    isDismissed = true
    return true
  }
}

/// The reason why a client receives no direction.
public struct HeadingFailure: Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// A field that does not move with the device.
    case disturbed
    /// The source has vanished or does not work.
    case unavailable
  }

  public let reason: Reason
  public let message: String
}
