import Beacons
import Consent
import DBus
import EventLoop
import Locations
import MonitorClient
import Notification
import RadioHealth
import Records

/// Sessions that range beacons and locate the device, and the state of the daemon's source.
final class ObserverLink: ObservingLink {
  private static let purpose = "Publishes the distances of beacons and the location of this device at MQTT brokers"

  private static let hubPurpose = "Reports the beacons that this device receives to the hub of its fleet"

  private let loop: Loop
  private let address: BusAddress
  private let client: MonitorClient

  init(_ loop: Loop, _ address: BusAddress, _ client: MonitorClient) {
    (self.loop, self.address, self.client) = (loop, address, client)
  }

  func openObservingSession(
    isPassive: Bool, _ handler: @escaping (ObservingSessionEvent) -> Void
  ) throws(MonitorFailure) -> any ObservingSession {
    do throws(DBusError) {
      let purpose = isPassive ? Self.hubPurpose : Self.purpose
      return try RemoteSession(loop: loop, address: address, purpose: purpose, appID: nil, isPassive: isPassive) {
        if let event = ObservingSessionEvent($0) { handler(event) }
      }
    } catch {
      throw MonitorFailure(error.message)
    }
  }

  func watchSource(_ body: @escaping (SourceState?) -> Void) -> AnyObject {
    client.watchSource { body($0.flatMap(SourceState.init(rawValue:))) }
  }
}

extension RemoteSession: ObservingSession {}

extension ObservingSessionEvent {
  /// Returns nil for an event that concerns neither ranging nor locating.
  fileprivate init?(_ event: RemoteSessionEvent) {
    switch event {
    case .began(.ranging(let constraint)): self = .ranging(constraint)
    case .ranged(_, let snapshot): self = .beacons(snapshot.beacons.map { BeaconReport($0) }, at: snapshot.time)
    case .located(let report): self = .location(DeviceLocation(report))
    case .locationUnknown: self = .location(nil)
    case .refused(.ranging(let constraint), let error): self = .rangingRefused(constraint, SessionRefusal(error))
    case .refused(_, let error): self = .locatingRefused(SessionRefusal(error))
    case .authorization(let authorization, _): self = .authorization(authorization)
    case .away: self = .away
    default: return nil
    }
  }
}

extension DeviceLocation {
  /// Creates a location; nil without coordinates.
  fileprivate init?(_ report: LocationReport) {
    guard let latitude = report.latitude, let longitude = report.longitude else { return nil }
    self.init(latitude: latitude, longitude: longitude, accuracy: report.horizontalAccuracy, description: report.description)
  }
}
