public import Beacons
public import FleetMessages

/// An identity about which the hub stores data, and which can be exported and erased.
public enum StoredIdentity: Hashable, Sendable {
  case tag(BeaconIdentity)
  case device(FleetAddress)
  case person(String)

  /// The hours for which an erased identity may be kept from being stored again.
  public static let suppressions = 0...RetentionKind.hours.upperBound

  public enum Kind: String, CaseIterable, Sendable {
    case tag
    case device
    case person
  }

  public var kind: Kind {
    switch self {
    case .tag: .tag
    case .device: .device
    case .person: .person
    }
  }

  /// The identity as the database writes it: `UUID/MAJOR/MINOR` in lower case, `SITE.DEVICE`, or a name.
  public var text: String {
    switch self {
    case .tag(let tag): "\(tag.uuid)".lowercased() + "/\(tag.major)/\(tag.minor)"
    case .device(let address): address.commonName
    case .person(let name): name
    }
  }

  /// Reads an identity of a kind; nil for any other text.
  public init?(_ kind: Kind, _ text: String) {
    switch kind {
    case .tag:
      guard let tag = BeaconIdentity(text) else { return nil }
      self = .tag(tag)
    case .device:
      guard let address = FleetAddress(commonName: text) else { return nil }
      self = .device(address)
    case .person:
      guard !text.isEmpty, text.utf8.count <= 256 else { return nil }
      self = .person(text)
    }
  }
}
