/// What one advertisement turned out to be. It may hold several AD structures; the most telling one, the last in this order, names it.
public enum AdvertisementKind: UInt8, CaseIterable, Sendable {
  /// No AD structure at all.
  case empty
  /// Names, services, flags: nothing that a beacon format claims.
  case other
  /// Manufacturer specific data of a company other than Apple that is no AltBeacon.
  case manufacturer
  /// Manufacturer specific data of Apple (0x004C) that is no iBeacon: AirDrop, Handoff, Find My and the like.
  case apple
  /// Beacon code 0xBEAC after any company. AltBeacon specification 1.0.
  case altBeacon
  /// Service data of UUID 0xFEAA. Eddystone protocol specification.
  case eddystone
  /// No iBeacon, and a structure that breaks a rule; `MalformedReason` says which.
  case malformed
  /// At least one well-formed iBeacon.
  case iBeacon
}
