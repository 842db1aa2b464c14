import CSodium
import DeliveryScheduling
public import FleetMessages

/// An Ed25519 key (RFC 8032) that signs rollouts.
public struct SigningKey: Sendable {
  /// The octets of the seed from which both halves of the key are computed.
  public static let seedSize = Int(crypto_sign_ed25519_SEEDBYTES)

  public let seed: [UInt8]
  /// The half that devices have.
  public let publicKey: [UInt8]
  private let secret: [UInt8]

  /// Makes a new key.
  public init() throws(SigningError) {
    guard sodium_init() >= 0 else { throw SigningError() }
    var seed = [UInt8](repeating: 0, count: Self.seedSize)
    randombytes_buf(&seed, seed.count)
    try self.init(seed: seed)
  }

  /// Throws for a seed of another length than `seedSize`.
  public init(seed: [UInt8]) throws(SigningError) {
    guard sodium_init() >= 0, seed.count == Self.seedSize else { throw SigningError() }
    var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_PUBLICKEYBYTES))
    var secret = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_SECRETKEYBYTES))
    guard crypto_sign_ed25519_seed_keypair(&publicKey, &secret, seed) == 0 else { throw SigningError() }
    (self.seed, self.publicKey, self.secret) = (seed, publicKey, secret)
  }

  /// The text before the seed in the file of a key.
  private static let header = "beaconmon rollout key 1 "

  /// Reads the content of a key's file; nil for any other text.
  public init?(file text: String) throws(SigningError) {
    guard text.hasPrefix(Self.header), let seed = Base64.octets(String(text.dropFirst(Self.header.count).prefix { $0 != "\n" })),
      seed.count == Self.seedSize
    else { return nil }
    try self.init(seed: seed)
  }

  /// The content of the key's file, which has to stay secret.
  public var file: String { "\(Self.header)\(Base64.text(seed))\n" }

  /// Returns a rollout with its signature.
  public func signed(_ rollout: Rollout) throws(SigningError) -> SignedRollout {
    var signed = SignedRollout(envelope: rollout.octets, signature: [])
    signed.signature = try signature(of: signed.signedOctets)
    return signed
  }

  func signature(of octets: [UInt8]) throws(SigningError) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_BYTES))
    guard crypto_sign_ed25519_detached(&signature, nil, octets, UInt64(octets.count), secret) == 0 else { throw SigningError() }
    return signature
  }
}

/// Verifies signatures with libsodium, as a device does.
public struct SodiumVerifier: SignatureVerifier {
  public init() {}

  public func isValid(_ signature: [UInt8], of octets: [UInt8], by key: [UInt8]) throws -> Bool {
    guard sodium_init() >= 0 else { throw SigningError() }
    guard signature.count == SignedRollout.signatureSize, key.count == SignedRollout.keySize else { return false }
    return crypto_sign_ed25519_verify_detached(signature, octets, UInt64(octets.count), key) == 0
  }
}

/// The error of a library that cannot sign or verify.
public struct SigningError: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String { "libsodium cannot use the key, or has no source of random numbers on this machine" }
}
