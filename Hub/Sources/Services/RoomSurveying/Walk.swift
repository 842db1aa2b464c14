public import Beacons
import Instants

/// A completed walk through one room.
public struct Walk: Hashable, Sendable {
  public var room: String
  public var doors: [String]
  public var tag: BeaconIdentity
  /// The parts of the walk in their order, in milliseconds since 1970 by the clock of the database.
  public var parts: [ClosedRange<Int64>]

  public init(room: String, doors: [String], tag: BeaconIdentity, parts: [ClosedRange<Int64>] = []) {
    (self.room, self.doors, self.tag, self.parts) = (room, doors, tag, parts)
  }

  /// Returns the command that takes the walk from the stored digests.
  func command(at site: String) -> String {
    let times = parts.flatMap { ["--from", Self.text($0.lowerBound), "--to", Self.text($0.upperBound)] }
    let words =
      ["beaconmon-hub admin survey \(site) --tag \(tag) --room", Self.quoted(room)] + doors.flatMap { ["--door", Self.quoted($0)] }
    return (words + times).joined(separator: " ")
  }

  /// Returns a time in milliseconds since 1970 as RFC 3339.
  static func text(_ time: Int64) -> String { Instant(microseconds: time * 1000).rfc3339 }

  /// Returns a word of a shell command.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
