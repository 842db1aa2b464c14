import Radios

/// Where advertisements come from.
public enum Source: Hashable, Sendable {
  /// The Bluetooth adapters of this machine.
  case radio(RadioWay)
  /// A btsnoop file.
  case capture(path: String)
  /// Nobody listens for beacons: a device that only knows where it is.
  case nothing
}

/// A text that names no source.
public enum SourceError: Error, Hashable, CustomStringConvertible {
  case unknown(String)
  case captureWithoutFile

  public var description: String {
    switch self {
    case .unknown(let text): "\(text.quoted) is no source; there are auto, bluez, hci, none and capture:FILE"
    case .captureWithoutFile: "\"capture:\" names no file; write capture:FILE"
    }
  }
}

extension Source: CustomStringConvertible {
  /// Reads `auto`, `bluez`, `hci`, `none` or `capture:FILE`, as in the config and after `--source`.
  public init(_ text: String) throws(SourceError) {
    if let way = RadioWay(rawValue: text) {
      self = .radio(way)
      return
    }
    if text == Self.nothingText {
      self = .nothing
      return
    }
    let prefix = "capture:"
    guard text.hasPrefix(prefix) else { throw .unknown(text) }
    let path = text.dropFirst(prefix.count)
    guard !path.isEmpty else { throw .captureWithoutFile }
    self = .capture(path: String(path))
  }

  public var description: String {
    switch self {
    case .radio(let way): way.rawValue
    case .capture(let path): "capture:\(path)"
    case .nothing: Self.nothingText
    }
  }

  private static let nothingText = "none"
}
