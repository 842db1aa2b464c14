internal import CSodiumOnDemand
import FleetMessages

/// Verifies signatures with libsodium, which is loaded for the first one.
public final class SodiumVerifier: SignatureVerifier {
  private var library: sodium_library?

  public init() {}

  public func isValid(_ signature: [UInt8], of octets: [UInt8], by key: [UInt8]) throws -> Bool {
    guard signature.count == SignedRollout.signatureSize, key.count == SignedRollout.keySize else { return false }
    let library = try loaded()
    return library.verify(signature, octets, UInt64(octets.count), key) == 0
  }

  private func loaded() throws -> sodium_library {
    if let library { return library }
    var loaded = sodium_library()
    if let problem = sodium_library_load(&loaded) {
      throw SodiumError(description: "\(String(cString: problem)); install the Debian package libsodium23")
    }
    library = loaded
    return loaded
  }
}

struct SodiumError: Error, CustomStringConvertible {
  let description: String
}
