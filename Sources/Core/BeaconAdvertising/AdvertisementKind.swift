/// The kind of an advertisement.
/// If it holds several AD structures, the most specific one, the last in this order, determines the kind.
public enum AdvertisementKind: UInt8, CaseIterable, Sendable {
  /// No AD structure at all.
  case empty
  /// Names, services, flags: nothing that belongs to a beacon format.
  case other
  /// Manufacturer specific data of a company other than Apple, except AltBeacon.
  case manufacturer
  /// Manufacturer specific data of Apple (0x004C) other than an iBeacon: AirDrop, Handoff, Find My and so on.
  case apple
  /// At least one AltBeacon.
  case altBeacon
  /// Service data of UUID 0xFEAA. Eddystone protocol specification.
  case eddystone
  /// A structure that breaks a rule; see `MalformedReason`.
  case malformed
  /// At least one well-formed iBeacon.
  case iBeacon
}
