/// A text in the configuration that may be secret.
public enum ConfiguredText: Hashable, Sendable {
  /// The text itself, which other users may read in the file.
  case plain(String)
  case secret(SecretPlace)
}

/// The place of a secret, which is never in the configuration itself.
public enum SecretPlace: Hashable, Sendable {
  /// The path of a file that holds only the secret.
  case file(String)
  /// A credential that systemd passes to the unit: systemd.exec(5), `LoadCredential=`.
  case credential(String)
}

extension SecretPlace: CustomStringConvertible {
  public var description: String {
    switch self {
    case .file(let path): path
    case .credential(let name): "credential \(name)"
    }
  }
}
