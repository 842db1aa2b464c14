import DeliveryScheduling
import Digests

/// The password of the user `hub`, with which the programs of the hub log in at the broker.
public struct HubPassword: Sendable, CustomStringConvertible {
  /// Devices can connect to the broker and try passwords.
  public static let leastCharacters = 20

  /// The octets of the salt in front of a hash.
  private static let saltSize = 4

  /// The password itself, which no log and no error has.
  public let secret: String

  /// Throws for a password that is too short to resist attempts.
  public init(_ secret: String) throws(HubPasswordError) {
    guard secret.count >= Self.leastCharacters else { throw HubPasswordError() }
    self.secret = secret
  }

  public var description: String { "the password of the user hub" }

  /// Returns the hash as RabbitMQ stores it with `rabbit_password_hashing_sha256`.
  ///
  /// It is the base64 of the salt, and of the SHA-256 of salt and password.
  public func hash(salt: UInt32 = .random(in: 0 ... .max)) -> String {
    hash((0..<Self.saltSize).map { UInt8(truncatingIfNeeded: salt >> (24 - 8 * $0)) })
  }

  /// Returns whether a hash that the broker has stored is that of this password.
  public func fits(_ stored: String) -> Bool {
    guard let octets = Base64.octets(stored), octets.count > Self.saltSize else { return false }
    return hash(Array(octets.prefix(Self.saltSize))) == stored
  }

  private func hash(_ salt: [UInt8]) -> String { Base64.text(salt + SHA256.hash(salt + Array(secret.utf8))) }
}

/// The error of a password that is too short.
public struct HubPasswordError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description =
    "the password has fewer than \(HubPassword.leastCharacters) characters, and devices can try passwords; "
    + "use the output of \"openssl rand -hex 32\""
}
