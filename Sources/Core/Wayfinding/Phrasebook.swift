/// The texts of one language.
///
/// A placeholder in braces stands for a value: `{distance}`, `{level}`, `{place}`. A further language is one file like
/// `Phrasebook+German.swift`, and its name in `all`. The initialiser has no defaults, so a text that is missing does not compile.
public struct Phrasebook: Hashable, Sendable {
  /// A text for each side.
  public struct Sides: Hashable, Sendable {
    public let left: String
    public let right: String

    public init(left: String, right: String) {
      (self.left, self.right) = (left, right)
    }

    subscript(side: Manoeuvre.Side) -> String { side == .left ? left : right }
  }

  /// The texts for a level above and below, and for one of the same height.
  public struct Levels: Hashable, Sendable {
    public let up: String
    public let down: String
    public let flat: String

    public init(up: String, down: String, flat: String) {
      (self.up, self.down, self.flat) = (up, down, flat)
    }
  }

  /// A unit: for one, for several, and for several after `in`.
  public struct Noun: Hashable, Sendable {
    public let one: String
    public let many: String
    public let after: String

    public init(_ one: String, _ many: String, after: String? = nil) {
      (self.one, self.many, self.after) = (one, many, after ?? many)
    }
  }

  /// The BCP 47 tag.
  public let language: String
  /// The mark between whole numbers and decimals.
  public let decimalMark: String
  public let metre: Noun
  public let kilometre: Noun
  public let foot: Noun
  public let mile: Noun
  /// The lengths below one of the unit.
  public let lessThanMetre: String
  public let lessThanFoot: String
  public let minute: Noun
  public let hour: Noun
  /// A time of an hour or more that is not a whole hour: `{hours} and {minutes}`.
  public let hoursAndMinutes: String
  /// The time below a minute.
  public let lessThanMinute: String

  // Parts of a route.
  public let forward: String
  public let forwardFor: String
  public let turnAround: String
  public let straight: String
  public let slight: Sides
  public let usual: Sides
  public let sharp: Sides
  public let around: Sides
  public let throughDoor: String
  /// The action at several doors in succession.
  public let throughDoors: String
  public let throughGate: String
  /// Appended to a turn in a door.
  public let inDoor: String
  public let stairs: Levels
  public let escalator: Levels
  public let ramp: Levels
  public let lift: Levels
  public let movingWalkway: Levels
  /// The first action on a new level, after stairs or a lift, and the action if there is no other.
  public let onLevel: String
  public let goOn: String
  public let pass: Sides
  public let arriveAhead: String
  public let arrive: Sides
  /// The approach to a place or a level straight ahead: `In {distance}, you reach {place}`.
  public let reachIn: String
  /// The route from a place to itself, with the name of the place and without one.
  public let alreadyAt: String
  public let alreadyThere: String
  /// The destination of a route to a point that has no name.
  public let destination: String

  // Connections between actions.
  /// A landmark before the action: `At {place}, {action}`.
  public let atLandmark: String
  /// A distance before the action: `In {distance}, {action}`.
  public let inDistance: String
  /// The next action after one that follows closely: `{first}, then {second}`.
  public let then: String
  /// The next action some way after one: `{first}, then in {distance} {second}`, and a place straight ahead there.
  public let thenIn: String
  public let thenReach: String

  // Guidance.
  public let keepGoing: String
  public let offRoute: String
  public let routeEnded: String
  /// The end at a destination without a name.
  public let arrived: String
  public let summary: String
  /// The remark that a route begins beside its start, which is not on the floor.
  public let startMoved: String
  public let states: States
  public let obstacles: Obstacles

  /// All languages, the default one first.
  public static let all = [english, german]

  /// Returns the texts in the first language that exists, or else in English.
  ///
  /// - Parameter languages: the reader's language tags, the best one first.
  public static func preferring(_ languages: [String]) -> Phrasebook { first(of: languages) ?? english }

  /// Returns the texts in the first language that exists; nil if there are none in any of them.
  public static func first(of languages: [String]) -> Phrasebook? {
    for tag in languages {
      let subtag = tag.lowercased().prefix { $0 != "-" && $0 != "_" }
      if let found = all.first(where: { $0.language == subtag }) { return found }
    }
    return nil
  }
}

extension String {
  /// Returns the text with its placeholders filled.
  func filled(_ values: [String: String]) -> String {
    var (result, rest) = ("", self[...])
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      result += values[String(rest[rest.index(after: open)..<close])] ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  /// The text with a capital at its beginning.
  var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
