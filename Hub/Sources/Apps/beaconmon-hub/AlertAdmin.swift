import Alerts
import ArgumentParser
import Events
import FleetDatabase
import Instants

struct AlertAdmin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts", abstract: "List alerts, and mute them.",
    discussion: """
      An alert that opens while it is muted reaches no target, unless it is still open when the mute ends.

      Example:
        beaconmon-hub admin alerts list
      """,
    subcommands: [List.self, Mute.self, Unmute.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List open alerts, those that have ended, mutes, and failed deliveries. Times are in UTC.",
      discussion: """
        Example:
          beaconmon-hub admin alerts list --days 30
        """)

    @OptionGroup var database: DatabaseOptions
    @Option(help: ArgumentHelp("The age of alerts that have ended, up to 90.", valueName: "days")) var days = 7

    func run() throws {
      guard (0...AlertAdministration.mostDays).contains(days) else {
        throw ValidationError("--days is from 0 to 90, the time for which alerts are kept")
      }
      let lines = try AlertAdministration(try database.connect()).lines(days: days)
      print(lines.isEmpty ? "no alerts" : lines.joined(separator: "\n"))
    }
  }

  struct Mute: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Keep alerts from targets, for example during a visit.",
      discussion: """
        The change is in the audit log.

        Examples:
          beaconmon-hub admin alerts mute berlin --for 8h
          beaconmon-hub admin alerts mute berlin.door --kind device-silent
        """)

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var alert: AlertArguments
    @Option(name: .customLong("for"), help: ArgumentHelp("The time, such as 8h or 2d. By default, until it is unmuted.", valueName: "time"))
    var time: String?

    func run() throws {
      let (subject, kind) = try alert.values()
      let span = try time.map { text throws in
        guard let span = Span(text: text), span > .zero, span <= .seconds(366 * 86_400) else {
          throw ValidationError("\"\(text)\" is not a time; write one such as 30m, 8h or 2d, at most 366d")
        }
        return span
      }
      let administration = try AlertAdministration(try database.connect())
      guard
        let muted = try administration.mute(subject, kind: kind, seconds: span.map { Int64($0.seconds.rounded(.up)) }, by: Actor.present)
      else {
        throw ValidationError(
          "\"\(subject)\" is not a site, a device such as berlin.door, or the number of an open alert; \"beaconmon-hub admin alerts list\" "
            + "shows the alerts")
      }
      print("muted \(muted)\(time.map { " for \($0)" } ?? "")")
    }
  }

  struct Unmute: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "End a mute. Alerts that are still open are announced then.",
      discussion: """
        Example:
          beaconmon-hub admin alerts unmute berlin
        """)

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var alert: AlertArguments

    func run() throws {
      let (subject, kind) = try alert.values()
      guard try AlertAdministration(try database.connect()).unmute(subject, kind: kind, by: Actor.present) else {
        throw ValidationError("\"\(subject)\" is not muted; \"beaconmon-hub admin alerts list\" shows the mutes")
      }
      print("unmuted \(subject)")
    }
  }
}

struct AlertArguments: ParsableArguments {
  @Argument(help: ArgumentHelp("A site, a device such as berlin.door, or the number of an open alert.", valueName: "subject"))
  var subject: String
  @Option(help: ArgumentHelp("The kind of alerts, such as device-silent. Defaults to all kinds.", valueName: "kind")) var kind: String?

  func values() throws -> (subject: String, kind: Event.Alert?) {
    guard let kind else { return (subject, nil) }
    guard let alert = Event.Alert(rawValue: kind) else {
      throw ValidationError(
        "\"\(kind)\" is not a kind of alert; use one of \(Event.Alert.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    guard Int64(subject) == nil else { throw ValidationError("the number of an alert has its kind already; remove --kind") }
    return (subject, alert)
  }
}
