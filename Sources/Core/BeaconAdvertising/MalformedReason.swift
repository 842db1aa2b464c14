/// The rule that the octets break.
/// Section numbers refer to the Bluetooth Core Specification 5.4, Volume 4, Part E, unless another part is named.
public enum MalformedReason: UInt8, CaseIterable, Sendable {
  /// The event's length octet differs from the number of octets after it, or the event is too short for a header (5.4.4).
  case eventLength
  /// A report runs past the end of its event; it and the reports after it are lost (7.7.65.2, 7.7.65.13).
  case reportOverrun
  /// A legacy report with more than 31 octets of data (7.7.65.2).
  case legacyDataLength
  /// An AD structure runs past the end of the data; the structures before it count (Volume 3, Part C, 11).
  case structureOverrun
  /// Apple's type 0x02, the iBeacon, with a length other than that of an iBeacon.
  case iBeaconLength
  /// A data status of 0b11 in an extended report (7.7.65.13).
  case reservedDataStatus
  /// The joined fragments exceed the maximum of 1650 octets of an advertisement (7.8.57).
  case advertisementLength
  /// The controller lost the rest of an extended advertisement, in the middle of an AD structure (7.7.65.13).
  case dataTruncated
}
