public import ConfigurationTree
import TOML

/// A change of one table of a venue file, such as a beacon that moves.
///
/// All other text stays, with its comments and its order.
/// The tables of a kind are counted from 0 in the order of the text, so that their numbers change when one is removed.
public enum VenueEdit: Sendable {
  /// Sets keys of a table, and removes those without a value.
  case set(VenueTable, [String: ConfigurationNode.Value?])
  /// Adds a table behind the last one of its kind.
  case add(VenueTable.Kind, [String: ConfigurationNode.Value])
  /// Removes a table with the comments that belong to it.
  case remove(VenueTable)

  /// Returns the text after the edits, one after the other. The text may be an invalid venue, before and after.
  ///
  /// Throws if the text is not TOML, has no such table, or writes the table in a form that cannot be changed alone.
  public static func apply(_ edits: [VenueEdit], to text: String) throws(VenueEditError) -> String {
    var text = text
    for edit in edits {
      var file = try VenueText(text)
      switch edit {
      case .set(let table, let values): try file.set(values, of: table)
      case .add(let kind, let values): try file.add(values, to: kind)
      case .remove(let table): try file.remove(table)
      }
      text = file.text
    }
    return text
  }
}

/// A table of a venue file.
public struct VenueTable: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of tables that a plan shows.
  public enum Kind: String, CaseIterable, Sendable {
    case level, wall, beacon, place, node, edge

    /// The order in which a new table has its keys; others follow.
    static let keys = [
      "id", "ordinal", "uuid", "major", "minor", "kind", "level", "from", "to", "position", "height", "attenuation", "title",
    ]
  }

  public let kind: Kind
  /// The number of the table among those of its kind, from 0.
  public let index: Int

  public init(_ kind: Kind, _ index: Int) { (self.kind, self.index) = (kind, index) }

  /// Reads the description.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let index = Int(parts[1]), (0...1_000_000).contains(index) else {
      return nil
    }
    self.init(kind, index)
  }

  /// The kind and the number, `beacon/3`.
  public var description: String { "\(kind.rawValue)/\(index)" }
}

/// The reason why a venue file cannot be changed, with its remedy.
public struct VenueEditError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line of the problem, from 1; nil if there is none.
  public let line: Int?
  public let message: String

  public init(line: Int? = nil, _ message: String) { (self.line, self.message) = (line, message) }

  public var description: String { (line.map { "line \($0): " } ?? "") + message }
}
