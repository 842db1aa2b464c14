/// Where advertisements come from.
public enum Source: Hashable, Sendable {
  /// A btsnoop file.
  case capture(path: String)
}

/// A text that names no source.
public enum SourceError: Error, Hashable, CustomStringConvertible {
  case unknown(String)
  case captureWithoutFile

  public var description: String {
    switch self {
    case .unknown(let text): "\(text.quoted) is no source; there is capture:FILE"
    case .captureWithoutFile: "\"capture:\" names no file; write capture:FILE"
    }
  }
}

extension Source: CustomStringConvertible {
  /// Reads `capture:FILE`, as in the config and after `--source`.
  public init(_ text: String) throws(SourceError) {
    let prefix = "capture:"
    guard text.hasPrefix(prefix) else { throw .unknown(text) }
    let path = text.dropFirst(prefix.count)
    guard !path.isEmpty else { throw .captureWithoutFile }
    self = .capture(path: String(path))
  }

  public var description: String {
    switch self {
    case .capture(let path): "capture:\(path)"
    }
  }
}
