/// The owner or a recipient of a share: a person of the hub, a role at the device's site, or a device of the site.
///
/// As text, a person is a name alone; the others have a prefix: `role:operator`, `device:hall`.
public enum ShareParty: Hashable, Sendable, CustomStringConvertible {
  case person(String)
  case role(String)
  case device(String)

  /// The roles that the hub knows. Each one includes the people with a later one.
  public static let roles = ["viewer", "operator", "owner"]
  /// The largest name in octets.
  static let longestName = 64

  /// Nil for a text that names no party.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts.first, parts.count) {
    case ("role", 2): self.init(.role, parts[1])
    case ("device", 2): self.init(.device, parts[1])
    case (let name?, 1): self.init(.person, name)
    default: return nil
    }
  }

  /// Nil for a name that a party of this kind cannot have.
  init?(_ kind: Kind, _ name: String) {
    switch kind {
    case .person:
      guard Self.isPersonName(name) else { return nil }
      self = .person(name)
    case .role:
      guard Self.roles.contains(name) else { return nil }
      self = .role(name)
    case .device:
      guard FleetAddress.isName(name) else { return nil }
      self = .device(name)
    }
  }

  enum Kind: Int64 {
    case person = 0
    case role = 1
    case device = 2
  }

  var kind: Kind {
    switch self {
    case .person: .person
    case .role: .role
    case .device: .device
    }
  }

  /// The name without the prefix.
  public var name: String {
    switch self {
    case .person(let name), .role(let name), .device(let name): name
    }
  }

  public var description: String {
    switch self {
    case .person(let name): name
    case .role(let name): "role:\(name)"
    case .device(let name): "device:\(name)"
    }
  }

  private static func isPersonName(_ text: String) -> Bool {
    guard (1...longestName).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-") else { return false }
    return text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || "-._@+".utf8.contains($0)
    }
  }
}
