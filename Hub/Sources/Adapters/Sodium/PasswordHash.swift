import CSodium
import Glibc

/// The hash of a password with argon2id (RFC 9106). Its text states its salt and its cost.
public struct PasswordHash: Hashable, Sendable {
  /// The encoded hash, such as `$argon2id$v=19$m=65536,t=3,p=1$...`.
  public let text: String

  /// The cost of a new hash: three passes over 64 MiB, as RFC 9106 (section 4) recommends for machines with little memory.
  public static let (passes, memory) = (UInt64(3), 64 << 20)

  /// Takes the text of a hash that was made before.
  public init(stored text: String) { self.text = text }

  /// Makes a hash with a new salt, which takes about a tenth of a second and 64 MiB.
  public init(of password: String) throws(PasswordHashError) {
    try Self.prepare()
    var encoded = [CChar](repeating: 0, count: Int(crypto_pwhash_argon2id_STRBYTES))
    let result = password.withErasedOctets { crypto_pwhash_argon2id_str(&encoded, $0, $1, Self.passes, Self.memory) }
    guard result == 0 else { throw .memory }
    text = String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether this is the hash of a password, which takes as long as making one. A damaged hash belongs to no password.
  public func matches(_ password: String) throws(PasswordHashError) -> Bool {
    try Self.prepare()
    // A hash from elsewhere may state a cost that takes down the machine.
    guard isAffordable else { return false }
    errno = 0
    let result = password.withErasedOctets { crypto_pwhash_argon2id_str_verify(text, $0, $1) }
    guard result == 0 || errno != ENOMEM else { throw .memory }
    return result == 0
  }

  /// Whether the stated cost is at most that of a new hash.
  private var isAffordable: Bool {
    let parts = text.split(separator: "$")
    guard parts.count == 5, parts[0] == "argon2id" else { return false }
    let costs = parts[2].split(separator: ",").map { $0.split(separator: "=") }
    func cost(_ name: String) -> Int? { costs.first { $0.count == 2 && $0[0] == name }.flatMap { Int($0[1]) } }
    guard let memory = cost("m"), let passes = cost("t") else { return false }
    return memory <= Self.memory / 1024 && passes <= Int(Self.passes)
  }

  private static func prepare() throws(PasswordHashError) {
    // The library permits further calls, from any thread.
    guard sodium_init() >= 0 else { throw .library }
  }
}

/// The reason why a hash could not be computed.
public enum PasswordHashError: Error, Hashable, Sendable, CustomStringConvertible {
  case library
  case memory

  public var description: String {
    switch self {
    case .library: "libsodium has no source of random numbers on this machine"
    case .memory: "the hash of a password needs \(PasswordHash.memory >> 20) MiB of memory, which are not free"
    }
  }
}

extension String {
  /// Calls `body` with a copy of the octets and their number, and erases the copy.
  fileprivate func withErasedOctets<Result>(_ body: (UnsafePointer<CChar>, UInt64) -> Result) -> Result {
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: utf8.count + 1)
    for (index, octet) in utf8.enumerated() { copy[index] = CChar(bitPattern: octet) }
    copy[utf8.count] = 0
    defer {
      sodium_memzero(copy, utf8.count)
      copy.deallocate()
    }
    return body(copy, UInt64(utf8.count))
  }
}
