import ArgumentParser
import FleetDatabase
import FleetStatus
import Retention

struct RetentionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention", abstract: "Show or change how long the hub keeps each kind of data.",
    discussion: """
      Without arguments it prints the present times. Workers remove expired data within a minute, partition by partition: a digest stays up \
      to an hour longer, an event or a room change up to a day, a visit up to a week.

      The kinds are:
      \(RetentionKind.allCases.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))

      Examples:
        beaconmon-hub admin retention
        beaconmon-hub admin retention event 60d
      """)

  @OptionGroup var database: DatabaseOptions
  @Argument(help: "The kind of data.") var kind: String?
  @Argument(help: ArgumentHelp("The time, such as 24h or 30d.", valueName: "time")) var time: String?

  func run() throws {
    let change = try change()
    let retention = try RetentionDatabase(try database.connect())
    if let change { try retention.keep(change.kind, hours: change.hours, by: Actor.present) }
    let status = FleetStatus(devices: [], queues: [], unattributed: [:], databaseSize: 0, retention: try retention.rules())
    print(status.retentionLines.dropFirst().joined(separator: "\n"))
  }

  private func change() throws -> (kind: RetentionKind, hours: Int)? {
    guard let kind else { return nil }
    guard let found = RetentionKind(name: kind) else {
      throw ValidationError("unknown kind \"\(kind)\"; expected \(RetentionKind.allCases.map(\.name).joined(separator: ", "))")
    }
    guard let time else { throw ValidationError("missing time for \(kind), such as 24h or 30d") }
    guard let hours = RetentionKind.hours(of: time) else {
      throw ValidationError("invalid time \"\(time)\"; write whole hours or days from 1h to 3660d, such as 24h or 30d")
    }
    return (found, hours)
  }
}
