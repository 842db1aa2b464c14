import RadioHealth

/// The source of advertisements.
public enum Source: Hashable, Sendable {
  /// The Bluetooth adapters of this machine.
  case radio(RadioBackend)
  /// A btsnoop file.
  case capture(path: String)
  /// A scenario of the simulation.
  case simulator(path: String)
  /// No source of beacons: a device that uses its location only.
  case nothing
}

extension Source {
  public var isSimulated: Bool {
    if case .simulator = self { true } else { false }
  }
}

/// The error for a text that is not a source.
public enum SourceError: Error, Hashable, CustomStringConvertible {
  case unknown(String)
  case withoutFile(String)

  public var description: String {
    switch self {
    case .unknown(let text): "\(text.quoted) is not a source; use auto, bluez, hci, none, capture:FILE or simulator:FILE"
    case .withoutFile(let kind): "\"\(kind):\" has no file; write \(kind):FILE"
    }
  }
}

extension Source: CustomStringConvertible {
  /// Reads `auto`, `bluez`, `hci`, `none`, `capture:FILE` or `simulator:FILE`, as in the config and after `--source`.
  public init(_ text: String) throws(SourceError) {
    if let backend = RadioBackend(rawValue: text) {
      self = .radio(backend)
      return
    }
    if text == Self.nothingText {
      self = .nothing
      return
    }
    guard let colon = text.firstIndex(of: ":") else { throw .unknown(text) }
    let path = String(text[text.index(after: colon)...])
    switch text[..<colon] {
    case "capture": self = .capture(path: path)
    case "simulator": self = .simulator(path: path)
    default: throw .unknown(text)
    }
    if path.isEmpty { throw .withoutFile(String(text[..<colon])) }
  }

  public var description: String {
    switch self {
    case .radio(let backend): backend.rawValue
    case .capture(let path): "capture:\(path)"
    case .simulator(let path): "simulator:\(path)"
    case .nothing: Self.nothingText
    }
  }

  private static let nothingText = "none"
}

extension ValueForm {
  /// The form of `Source.init(_:)`.
  static let source = ValueForm.either([
    .choice(RadioBackend.allCases.map(\.rawValue) + ["none"]), .text(pattern: "^(capture|simulator):.+$"),
  ])
}
