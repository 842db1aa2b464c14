import Beacons
import Consent
import DBus
import MonitorClient
import WebPage

extension PageLink: PlaceSource {
  func requestConstraints(_ completion: @escaping ([BeaconConstraint]?) -> Void) {
    client.configuredConstraints { completion($0.map { Array($0.prefix(BeaconConstraint.mostPerSession)) }) }
  }

  func placeSession(_ handler: @escaping (PlaceEvent) -> Void) -> any PlaceSession {
    placeHandler = handler
    return session
  }
}

extension RemoteSession: PlaceSession {
  public func stopRanging(_ constraint: BeaconConstraint) { stop(.ranging(constraint)) }

  public func stopLocating() { stop(.locating) }
}

extension PlaceEvent {
  /// Returns nil for an event that concerns neither ranging nor locating.
  init?(_ event: RemoteSessionEvent) {
    switch event {
    case .ranged(let constraint, let snapshot): self = .ranged(constraint, snapshot)
    case .located(let location): self = .located(location)
    case .locationUnknown(let reason): self = .locationUnknown(reason)
    case .began: self = .permitted
    case .authorization(.denied, let reason): self = .denied(reason)
    case .refused(_, let error) where error.isLackOfConsent: self = .denied(error.message)
    case .refused(.ranging(let constraint), _): self = .rangingRefused(constraint)
    case .refused(.locating, let error): self = .locatingRefused(error.message)
    default: return nil
    }
  }
}
