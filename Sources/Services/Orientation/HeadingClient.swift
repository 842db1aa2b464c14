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
  private var kind: HeadingUpdate.Kind?
  private var field: SpaceVector?
  private(set) var failure: HeadingFailure.Reason?
  private(set) var calibration: CalibrationStatus?
  private var isDismissed = false

  /// The noise of a field in µT that is no change.
  private static let fieldNoise = 1.0

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
  mutating func accepts(_ update: HeadingUpdate, field latest: SpaceVector?) -> Bool {
    defer { kind = update.kind }
    if update.hasDirection {
      if kind != update.kind { resetFilters() }
      failure = nil
      guard passes(update) else { return false }
      field = latest
      return true
    }
    // The source works again, even if it has no direction yet.
    if failure == .unavailable { failure = nil }
    // The first update without a direction withdraws the last one.
    guard kind == nil, request.filter > 0, let field, let latest else {
      field = latest
      return true
    }
    // A field has no heading to compare, so its change across the filter's angle counts.
    let angle = request.filter * .pi / 180
    guard (latest - field).length > max(Self.fieldNoise, angle * field.length) else { return false }
    self.field = latest
    return true
  }

  /// Returns whether one of both angles has turned far enough, or has come or gone.
  private mutating func passes(_ update: HeadingUpdate) -> Bool {
    let (magnetic, trueHeading) = (update.magneticHeading, update.trueHeading)
    var (magneticTrial, trueTrial) = (magneticFilter, trueFilter)
    var passes = (magnetic != nil) != hadMagnetic || (trueHeading != nil) != hadTrue
    if let magnetic, magneticTrial.accepts(magnetic) { passes = true }
    if let trueHeading, trueTrial.accepts(trueHeading) { passes = true }
    guard passes else { return false }
    resetFilters()
    if let magnetic { _ = magneticFilter.accepts(magnetic) }
    if let trueHeading { _ = trueFilter.accepts(trueHeading) }
    (hadMagnetic, hadTrue) = (magnetic != nil, trueHeading != nil)
    return true
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
    if reason == .unavailable { field = nil }
    return true
  }

  /// Returns the status to report to the client now; nil for none.
  mutating func news(_ status: CalibrationStatus) -> CalibrationStatus? {
    guard status.isNeeded == true else {
      let wasNeeded = calibration != nil && !isDismissed
      (calibration, isDismissed) = (nil, false)
      return wasNeeded ? status : nil
    }
    guard !isDismissed, status != calibration else { return nil }
    calibration = status
    return status
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
