import DBus
import Instants
import Locations
import MonitorProtocol
import Records

/// A report to a listener of headings.
public enum RemoteHeadingEvent: Hashable, Sendable {
  /// The heading.
  case heading(HeadingUpdate)
  /// No direction, for this reason; the source continues or is tried again.
  case failed(DBusError)
  /// Whether the device must be calibrated.
  case calibration(CalibrationStatus)

  /// Returns nil for another signal.
  init?(_ signal: DBusMessage) {
    let arguments = signal.arguments
    switch (signal.member, signal.signature) {
    case ("HeadingUpdated", "a{sv}"):
      guard let record = Record(arguments[0]) else { return nil }
      self = .heading(HeadingUpdate(record))
    case ("CalibrationNeeded", "a{sv}"):
      guard let record = Record(arguments[0]) else { return nil }
      self = .calibration(CalibrationStatus(record))
    case ("HeadingFailed", "ss"):
      guard let name = arguments[0].string, let message = arguments[1].string else { return nil }
      self = .failed(DBusError(name: name, message: message))
    default: return nil
    }
  }
}

/// The options of `Session.StartUpdatingHeading`; nil leaves an option to the daemon.
public struct HeadingOptions: Hashable, Sendable {
  /// The degrees by which a heading must differ from the last delivered one.
  public var filter: Double?
  /// The name of the edge that points forward, such as "portrait".
  public var orientation: String?
  /// The direction that points forward, in degrees clockwise from the top edge.
  public var mountAngle: Double?
  /// Whether the course replaces the heading in a vehicle.
  public var travel: Bool
  /// The longest time between two headings of a device that rests; nil for no limit.
  public var interval: Span?

  public init(
    filter: Double? = nil, orientation: String? = nil, mountAngle: Double? = nil, travel: Bool = false, interval: Span? = nil
  ) {
    (self.filter, self.orientation, self.mountAngle, self.travel) = (filter, orientation, mountAngle, travel)
    self.interval = interval
  }

  var record: Record {
    Record([
      "filter": filter.map { .quantity($0, decimals: 2) }, "orientation": orientation.map { .text($0) },
      "mountAngle": mountAngle.map { .quantity($0, decimals: 2) }, "travel": travel ? .flag(true) : nil,
      "interval": interval.map { .text($0.text) },
    ])
  }
}

extension MonitorClient {
  /// Follows the device's heading while the returned object is held.
  ///
  /// - Parameters:
  ///   - options: the options as `Session.StartUpdatingHeading` takes them.
  ///   - onBegin: called when the daemon has accepted the request, after each of its starts.
  ///   - onFailure: called when it has refused the request; the object asks the next daemon again.
  ///   - handler: called with each report.
  public func followHeading(
    _ options: HeadingOptions, onBegin: @escaping () -> Void = {}, onFailure: @escaping (DBusError) -> Void,
    handler: @escaping (RemoteHeadingEvent) -> Void
  ) -> RemoteStream {
    RemoteStream(
      connection, purpose: "beaconmon shows where this device points", start: [("StartUpdatingHeading", [options.record.dbusValue])],
      // The user may be asked for consent first.
      timeout: .seconds(300),
      signals: ["HeadingUpdated", "HeadingFailed", "CalibrationNeeded"], onAnswer: { _ in onBegin() }, onFailure: onFailure
    ) { signal in
      if let event = RemoteHeadingEvent(signal) { handler(event) }
    }
  }
}

extension RemoteSession {
  public func startHeading(_ options: HeadingOptions) { perform(plan.startOnce(.heading(options))) }

  /// Ends the present need of a calibration. The next need is reported again.
  public func dismissHeadingCalibration() {
    guard plan.wants(.heading) else { return }
    call("DismissHeadingCalibration", []) { _ in }
  }

  func receiveHeading(_ signal: DBusMessage) {
    guard plan.wants(.heading), let event = RemoteHeadingEvent(signal) else { return }
    handler(.heading(event))
  }
}

extension SessionPlan {
  /// Repeats a heading request that was refused for another reason than consent, because a source may be present now.
  mutating func askForHeading() -> [Action] {
    guard phase == .open, let index = index(.heading), items[index].step == .refused(.other) else { return [] }
    return [ask(index)]
  }
}
