/// A rollout of configuration with the signature of its author: the payload of a message of the hub, or a file.
///
/// The hub passes it on, and cannot change it: the key of the signature stays with the author.
public struct SignedRollout: Hashable, Sendable {
  /// The octets of an Ed25519 signature.
  public static let signatureSize = 64
  /// The octets of an Ed25519 public key.
  public static let keySize = 32

  /// The octets of a `Rollout`.
  public var envelope: [UInt8]
  public var signature: [UInt8]

  public init(envelope: [UInt8], signature: [UInt8]) {
    (self.envelope, self.signature) = (envelope, signature)
  }

  /// The text before the envelope in the signed octets, so that a signature is valid for nothing else.
  private static let context = Array("beaconmon rollout 1\n".utf8)

  /// The octets that the signature is about.
  public var signedOctets: [UInt8] { Self.context + envelope }
}

/// Verifies signatures by Ed25519 (RFC 8032).
public protocol SignatureVerifier {
  /// Returns whether the signature of 64 octets is that of the key of 32 octets for the octets.
  ///
  /// Throws if it cannot verify, such as without a library.
  func isValid(_ signature: [UInt8], of octets: [UInt8], by key: [UInt8]) throws -> Bool
}

/// The envelope of a rollout: a drop-in of the configuration, its revision, and the devices that it is for.
public struct Rollout: Hashable, Sendable {
  /// The largest number of entries in an audience.
  public static let mostAudience = 256
  /// The largest drop-in in octets.
  public static let largestDropIn = 20_480
  /// The largest number of venues.
  public static let mostVenues = 8

  /// The number of the rollout, from 1 to 2^53. A device takes one that is greater than all that it has taken.
  public var revision: Int64
  /// Milliseconds since the Unix epoch by the clock of the author, which is not trusted.
  public var created: Int64
  /// The devices that may take it, at least one entry.
  public var audience: [RolloutAudience]
  /// The TOML of the drop-in.
  public var dropIn: String
  public var venues: [RolloutVenue]

  public init(revision: Int64, created: Int64, audience: [RolloutAudience], dropIn: String, venues: [RolloutVenue] = []) {
    (self.revision, self.created, self.audience, self.dropIn, self.venues) = (revision, created, audience, dropIn, venues)
  }

  public func isFor(_ device: FleetAddress) -> Bool { audience.contains { $0.contains(device) } }
}

/// All devices of a site, or one device. As text it is `site` or `site.device`.
public enum RolloutAudience: Hashable, Sendable, CustomStringConvertible {
  case site(String)
  case device(FleetAddress)

  /// Nil for a text that names no site or device.
  public init?(_ text: String) {
    if FleetAddress.isName(text) {
      self = .site(text)
    } else if let device = FleetAddress(commonName: text) {
      self = .device(device)
    } else {
      return nil
    }
  }

  public func contains(_ device: FleetAddress) -> Bool {
    switch self {
    case .site(let site): site == device.site
    case .device(let other): other == device
    }
  }

  public var description: String {
    switch self {
    case .site(let site): site
    case .device(let device): device.commonName
    }
  }
}

/// A venue file by content, in place of a path.
///
/// The drop-in does not mention it. A device uses it beside the venue files of its configuration, in place of one with the same venue id.
public struct RolloutVenue: Hashable, Sendable {
  /// A name as `FleetAddress.isName` allows it, which errors contain.
  public var name: String
  /// The TOML of a venue file.
  public var octets: [UInt8]

  public init(name: String, octets: [UInt8]) {
    (self.name, self.octets) = (name, octets)
  }
}

/// The state of the rollout that a device has received last.
public struct RolloutReport: Hashable, Sendable {
  public enum State: Int64, CaseIterable, Sendable {
    /// The device uses the rollout, and returns to the former configuration unless it stays healthy.
    case onTrial = 0
    case confirmed = 1
    /// The device has refused the rollout, and has never used it.
    case refused = 2
    /// The device has used the rollout, and has returned to the former configuration.
    case rolledBack = 3
  }

  /// The largest text in octets.
  static let longestText = 128

  /// 0 if the octets could not be read.
  public var revision: Int64
  public var state: State
  /// The reason for a refusal or a rollback, which is safe to display; empty otherwise.
  public var text: String

  public init(revision: Int64, state: State, text: String = "") {
    (self.revision, self.state, self.text) = (revision, state, text)
  }
}
