/// A text of the configuration that may be secret.
public enum ConfiguredText: Hashable, Sendable {
  /// As it stands in the file, which others may read.
  case plain(String)
  case secret(SecretPlace)
}

/// Where a secret is: never in the configuration itself.
public enum SecretPlace: Hashable, Sendable {
  /// A file with nothing else in it.
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
