import DBus
import Records

// MARK: Heading

extension RemoteSession {
  /// - Parameter options: the options as `Session.StartUpdatingHeading` takes them.
  public func startHeading(_ options: HeadingOptions) { perform(plan.startHeading(options.record)) }

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
