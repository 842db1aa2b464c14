public import Beacons
public import FleetMessages

extension FleetMessage {
  /// Returns the message without the sightings of some beacons. Any other message than a digest stays as it is.
  public func without(_ isErased: (BeaconIdentity) -> Bool) -> FleetMessage {
    guard case .digest(let sightings) = body else { return self }
    var message = self
    message.body = .digest(sightings.filter { !isErased($0.beacon) })
    return message
  }
}
