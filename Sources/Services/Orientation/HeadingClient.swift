import Headings
import Instants
import Locations

/// The updates of one client: its filter, and the latest update and status that it received.
struct HeadingClient {
  let request: HeadingRequest
  private var filter: HeadingFilter
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
    (self.request, self.filter) = (request, filter)
  }

  /// Returns whether the client receives the update.
  mutating func accepts(_ update: HeadingUpdate, field latest: SpaceVector?) -> Bool {
    defer { kind = update.kind }
    if let degrees = update.magneticHeading ?? update.trueHeading {
      if kind != update.kind { filter.reset() }
      failure = nil
      guard filter.accepts(degrees) else { return false }
      field = latest
      return true
    }
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

  /// Returns whether the client is told of the failure: once until the next direction.
  mutating func accepts(_ reason: HeadingFailure.Reason) -> Bool {
    guard failure != reason else { return false }
    failure = reason
    filter.reset()
    return true
  }

  /// Returns the status that the client is told now; nil for none.
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
