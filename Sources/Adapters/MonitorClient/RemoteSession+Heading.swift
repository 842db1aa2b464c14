import DBus
import Records

// MARK: Heading

extension RemoteSession {
  /// - Parameter options: the options as `Session.StartUpdatingHeading` takes them.
  public func startHeading(_ options: HeadingOptions) { perform(plan.startHeading(options.record)) }

  /// Withdraws the need of a calibration until it is needed anew.
  public func dismissHeadingCalibration() {
    guard plan.wants(.heading) else { return }
    call("DismissHeadingCalibration", []) { _ in }
  }

  func receiveHeading(_ signal: DBusMessage) {
    guard plan.wants(.heading), let event = RemoteHeadingEvent(signal) else { return }
    handler(.heading(event))
  }
}
