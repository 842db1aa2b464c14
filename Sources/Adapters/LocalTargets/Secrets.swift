import EventActions
import EventLoop
import Glibc

/// Reads secrets from the configured places. Errors contain no part of a secret.
public struct Secrets {
  private static let largest = 65_536

  /// The folder of the credentials of the unit, `LoadCredential=` in systemd.exec(5); `nil` if there are none.
  private let credentials: String?

  public init(environment: [String: String] = ChildCommand.ownEnvironment()) {
    credentials = environment["CREDENTIALS_DIRECTORY"]
  }

  /// Returns a configured text, which may be a secret.
  public func text(_ text: ConfiguredText) throws(SecretError) -> String {
    switch text {
    case .plain(let text): text
    case .secret(let place): try secret(at: place)
    }
  }

  /// Returns the only line of the file, without its line break.
  public func secret(at place: SecretPlace) throws(SecretError) -> String {
    let path = try path(of: place)
    var octets: [UInt8]
    do throws(SystemCallError) { octets = try FileContent.octets(of: path, limit: Self.largest + 1) } catch {
      if case .credential(let name) = place, error.code == ENOENT { throw Self.missing(name) }
      let advice = error.call == "open" ? "; let the user of the notifier read it" : ""
      throw SecretError("\(path): cannot be read: \(SystemCallError.text(of: error.code))\(advice)")
    }
    while let last = octets.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { octets.removeLast() }
    guard !octets.isEmpty else { throw SecretError("\(path): is empty; write the secret into it") }
    // Rejects characters that would end a header or a C string early.
    guard octets.count <= Self.largest, octets.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
      throw SecretError("\(path): contains no secret; write one line of text")
    }
    return String(decoding: octets, as: UTF8.self)
  }

  /// Returns the path of a secret for a library that reads it.
  public func path(of place: SecretPlace) throws(SecretError) -> String {
    switch place {
    case .file(let path): return path
    case .credential(let name):
      guard let credentials else { throw Self.missing(name) }
      return "\(credentials)/\(name)"
    }
  }

  private static func missing(_ name: String) -> SecretError {
    SecretError("credential \(name): the unit does not have it; add LoadCredential=\(name):FILE to it")
  }
}

/// An error with the place of the secret, the problem and advice.
public struct SecretError: Error, Hashable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
