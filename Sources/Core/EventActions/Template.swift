import Beacons
import Events
import Instants
import Records

/// A text with placeholders that an event fills in: `"a visitor came to {region}"`. `{{` and `}}` stand for braces.
public struct Template: Hashable, Sendable {
  /// The names that may appear in braces.
  public enum Placeholder: String, CaseIterable, Sendable {
    case region
    case event
    case time
    case state
    case major
    case minor
    /// The distance with its unit: `2.31 m`.
    case distance
    /// The number alone, for a text or a script that has its own unit: `2.31`.
    case distanceMetres
    case proximity
    /// The name of the place that the beacon stands for in a venue, or of the place of an appointment.
    case place
    /// The title of the appointment.
    case appointment
    /// The minutes of the way to the appointment, rounded up.
    case minutes
    /// The kind of problem of a fleet.
    case alert
    /// The site of a problem of a fleet.
    case site
    /// The device of a problem of a fleet.
    case device
    /// The problem of a fleet in a sentence.
    case text
    /// The time that a problem of a fleet has lasted.
    case duration
  }

  private enum Piece: Hashable {
    case literal(String)
    case placeholder(Placeholder)
  }

  private var pieces: [Piece] = []

  public static let empty = Template()

  private init() {}

  public init(_ text: String) throws(TemplateError) {
    var literal = ""
    var characters = Array(text)[...]
    while let character = characters.popFirst() {
      let position = characters.startIndex  // 1-based, of `character`
      switch character {
      case "{" where characters.first == "{", "}" where characters.first == "}":
        literal.append(characters.removeFirst())
      case "{":
        guard let end = characters.firstIndex(of: "}") else { throw .unclosedBrace(position: position) }
        let name = String(characters[..<end])
        guard let placeholder = Placeholder(rawValue: name) else { throw .unknownPlaceholder(name) }
        characters = characters[(end + 1)...]
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal = ""
        pieces.append(.placeholder(placeholder))
      case "}": throw .strayBrace(position: position)
      default: literal.append(character)
      }
    }
    if !literal.isEmpty { pieces.append(.literal(literal)) }
  }

  /// Returns the text for `event`, with `unknown` for values that the event does not have.
  public func text(for event: Event) -> String {
    pieces.map { piece in
      switch piece {
      case .literal(let literal): literal
      case .placeholder(let placeholder): placeholder.text(for: event) ?? "unknown"
      }
    }.joined()
  }
}

extension Template: CustomStringConvertible {
  /// The template as written in the configuration.
  public var description: String {
    pieces.map { piece in
      switch piece {
      case .literal(let literal): literal.map { "{}".contains($0) ? "\($0)\($0)" : "\($0)" }.joined()
      case .placeholder(let placeholder): "{\(placeholder.rawValue)}"
      }
    }.joined()
  }
}

extension Template.Placeholder {
  fileprivate func text(for event: Event) -> String? {
    switch self {
    case .region: event.region
    case .event: event.kind?.rawValue
    case .time: event.time?.rfc3339
    case .state: event.state?.rawValue
    case .major: event.beacon.map { "\($0.major)" }
    case .minor: event.beacon.map { "\($0.minor)" }
    case .distance: metres(event).map { "\($0) m" }
    case .distanceMetres: metres(event)
    case .proximity: event.proximity?.rawValue
    case .place: event.placeName
    case .appointment: event.appointment
    case .alert: event.alert?.rawValue
    case .site: event.site
    case .device: event.device
    case .text: event.text
    case .duration: event.duration?.text
    case .minutes: event.travelTime.map { "\(max(1, Int(($0.seconds / 60).rounded(.up))))" }
    }
  }

  private func metres(_ event: Event) -> String? { event.distance.flatMap { Decimal.text($0, decimals: 2) } }
}

/// An error in a template. Positions count characters from 1.
public enum TemplateError: Error, Hashable, CustomStringConvertible {
  /// The name in braces is not a placeholder.
  case unknownPlaceholder(String)
  case unclosedBrace(position: Int)
  case strayBrace(position: Int)

  public var description: String {
    switch self {
    case .unknownPlaceholder(let name):
      "{\(name.count > 64 ? name.prefix(64) + "..." : name[...])} is not a placeholder; use \(Self.placeholders), or {{ and }} for braces"
    case .unclosedBrace(let position): "the { at position \(position) is never closed; write {{ for a brace"
    case .strayBrace(let position): "the } at position \(position) has no opening brace; write }} for a brace"
    }
  }

  private static let placeholders = Template.Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
}
