import Headings
import Orientation

/// The sessions that want the device's heading.
public final class HeadingSubscriptions {
  private unowned let consent: any SessionConsent
  private unowned let headings: any SessionHeadings
  /// The updating sessions by number.
  private var sessions: [UInt32: ClientSession] = [:]

  init(_ consent: any SessionConsent, _ headings: any SessionHeadings) {
    (self.consent, self.headings) = (consent, headings)
  }

  /// Throws if no source is present, because the client would wait forever.
  public func requireSource() throws(SessionRefusal) {
    if let obstacle = headings.requestObstacle { throw .noHeadingSource(obstacle) }
  }

  /// Starts the updates of a session that is permitted, or changes their options. The first update may come during the call.
  public func start(_ request: HeadingRequest, in session: ClientSession) {
    consent.beginUse(of: session)
    sessions[session.number] = session
    headings.listen(.session(session.number), request)
  }

  public func stop(_ session: ClientSession) throws(SessionRefusal) {
    try requireUpdates(session)
    forget(session)
  }

  /// Ends the present need of a calibration for a session.
  public func dismissCalibration(_ session: ClientSession) throws(SessionRefusal) {
    try requireUpdates(session)
    headings.dismissCalibration(.session(session.number))
  }

  /// Ends the updates of a session that has ended, or has lost consent.
  func forget(_ session: ClientSession) {
    guard sessions.removeValue(forKey: session.number) != nil else { return }
    headings.end(.session(session.number))
    session.channel?.drop(.heading)
  }

  /// Takes an output for a client that this object has started.
  public func take(_ output: HeadingService.Output) {
    guard case .session(let number) = output.client, let session = sessions[number] else { return }
    switch output {
    case .update(_, let update): session.send(.headingUpdated(update))
    case .failed(_, let failure): session.send(.headingFailed(failure))
    case .calibration(_, let status): session.send(.calibrationNeeded(status))
    }
  }

  private func requireUpdates(_ session: ClientSession) throws(SessionRefusal) {
    guard sessions[session.number] != nil else { throw .notUpdatingHeading }
  }
}
