import DBus
import EventLoop
import FleetMessages
import Locations
import MonitorClient
import PositionSharing

/// Sessions of the daemon that locate this device for shares.
final class PositionLink: PositionSource {
  private let loop: Loop
  private let address: BusAddress

  init(_ loop: Loop, _ address: BusAddress) { (self.loop, self.address) = (loop, address) }

  func openSession(
    for purpose: String, _ handler: @escaping (PositionSessionEvent) -> Void
  ) throws(PositionSourceFailure) -> any PositionSession {
    do throws(DBusError) {
      return try RemoteSession(loop: loop, address: address, purpose: purpose, appID: nil) {
        if let event = PositionSessionEvent($0) { handler(event) }
      }
    } catch {
      throw PositionSourceFailure(error.message)
    }
  }
}

extension RemoteSession: PositionSession {}

extension PositionSessionEvent {
  /// Returns nil for an event that does not concern the position.
  fileprivate init?(_ event: RemoteSessionEvent) {
    switch event {
    case .located(let report): self = .position(SharedPosition(report))
    case .locationUnknown, .away: self = .position(nil)
    case .authorization(let authorization, _): self = .authorization(authorization)
    case .refused(_, let error): self = error.isLackOfConsent ? .withoutConsent(error.message) : .refused(error.message)
    default: return nil
    }
  }
}

extension SharedPosition {
  /// Nil without coordinates.
  fileprivate init?(_ report: LocationReport) {
    guard let latitude = report.latitude, let longitude = report.longitude else { return nil }
    self.init(
      latitude: latitude, longitude: longitude, accuracy: report.horizontalAccuracy, floor: report.floor.flatMap { Int(exactly: $0) },
      level: report.level, venue: report.venue, place: report.description)
  }
}
