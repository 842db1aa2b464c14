import EventActions
import ConfigurationTree
import Events
import FleetMessages
import Beacons
import Instants

/// The configuration of the alerts of a fleet: limits, and targets and actions in the form of `beaconmon.toml`.
public struct AlertConfiguration: Hashable, Sendable {
  public var limits = AlertLimits()
  /// The folders on this machine whose disks are watched.
  public var disks: [String] = []
  public var parallelCommands = NotifierSettings().parallelCommands
  public var targets: [Target] = []
  public var actions: [AlertAction] = []

  public init() {}

  /// Reads a file of at most 1 MiB. Throws all of its problems.
  public static func read(file: String) throws(ConfigurationError) -> AlertConfiguration {
    try parse(text: try ConfigurationFile.text(of: file), name: file)
  }

  /// - Parameter name: The name of the text in errors.
  static func parse(text: String, name: String) throws(ConfigurationError) -> AlertConfiguration {
    try TableReader.read(text, name: name) { AlertReader.configuration($0) }
  }
}

/// Converts the top table of the alerts of a fleet.
private enum AlertReader {
  static func configuration(_ top: consuming TableReader) -> AlertConfiguration {
    var result = AlertConfiguration()
    if let table = top.table("alerts") { limits(table, &result) }
    if let table = top.table("notifier") { notifier(table, &result) }
    top.finish()
    return result
  }

  private static func limits(_ table: consuming TableReader, _ result: inout AlertConfiguration) {
    let limits = AlertLimits()
    let day = Span.seconds(86_400)
    result.limits.silence = table.read("silent-after", as: .duration(.seconds(1)...(day * 30))) ?? limits.silence
    result.limits.missing = table.read("missing-after", as: .duration(.seconds(1)...(day * 30))) ?? limits.missing
    result.limits.steady = table.read("steady", as: .duration(.seconds(1)...day)) ?? limits.steady
    result.limits.freeSpace = table.read("free-space", as: .size(1...(1 << 50)))?.octets ?? limits.freeSpace
    result.limits.hubFreeSpace = table.read("hub-free-space", as: .size(1...(1 << 50)))?.octets ?? limits.hubFreeSpace
    result.limits.backlog = table.read("backlog", as: .integer(1...1_000_000_000)) ?? limits.backlog
    result.disks = table.read("disks", as: .oneOrMore(example: "/var/lib/postgresql")) ?? []
    if let disk = result.disks.first(where: { !$0.hasPrefix("/") }) {
      table.report("disks", "\(disk.quoted) is relative to the current folder; write an absolute path such as \"/var/lib/postgresql\"")
    }
    table.finish()
  }

  private static func notifier(_ table: consuming TableReader, _ result: inout AlertConfiguration) {
    if let count = table.read("parallel-commands", as: .integer(1...64)) { result.parallelCommands = count }
    var reader = NotifierReader()
    let targets = table.tables("target", called: "notifier target")
    for target in targets { checkKind(target) }
    reader.readTargets(targets)
    for action in table.tables("action", called: "notifier action") {
      checkKind(action)
      if let action = self.action(action, &reader) { result.actions.append(action) }
    }
    result.targets = reader.targets
    table.finish()
  }

  /// The kinds of targets to which a hub delivers.
  private static let kinds = ["command", "log", "webhook", "mqtt"]

  /// Reports targets, and keys of targets, that only a device can have.
  private static func checkKind(_ table: TableReader) {
    var table = table
    for kind in TargetReader.kinds where table.has(kind) && !kinds.contains(kind) {
      let reason = kind == "notification" ? "requires a desktop, and the hub has none" : "is for devices only"
      table.report(kind, "\(reason); use a command, log, webhook or mqtt")
    }
    guard let broker = table.table("mqtt") else { return }
    for key in ["discovery", "beacons", "beacon-entities", "away-after", "room", "room-topic", "location"] where broker.has(key) {
      broker.report(key, "is about the regions and beacons of a device; remove it, alerts are published below topic")
    }
  }

  private static func action(_ table: consuming TableReader, _ reader: inout NotifierReader) -> AlertAction? {
    let name = table.read("name", as: .name(of: "action", example: "operators"))
    if let name { reader.take(name, &table, "action") }
    let sites = table.read("site", as: .oneOrMore(example: "berlin"))
    for site in sites ?? [] where !FleetAddress.isName(site) {
      table.report("site", "\(site.quoted) is not the name of a site; write 1 to 32 of a-z, 0-9 and \"-\"")
    }
    let alerts = table.read("alerts", as: .alerts)
    let targets = reader.targets(&table, name: name)
    table.finish()
    guard !targets.isEmpty else { return nil }
    return AlertAction(alerts: alerts ?? Set(Event.Alert.allCases), sites: sites.map(Set.init), targets: targets.map(\.name))
  }
}

extension ValueDecoder where Value == Set<Event.Alert> {
  fileprivate static var alerts: ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let names = Event.Alert.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      var alerts: Set<Event.Alert> = []
      for text in try ValueDecoder<[String]>.oneOrMore(example: "device-silent").decode(node) {
        guard let alert = Event.Alert(rawValue: text) else { throw DecodingIssue("\(text.quoted) is not an alert; use one of \(names)") }
        alerts.insert(alert)
      }
      return alerts
    }
  }
}
