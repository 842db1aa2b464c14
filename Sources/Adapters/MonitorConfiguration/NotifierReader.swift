import Beacons
import ConfigurationTree
import DeliveryScheduling
import Diagnostics
import EventActions
import Instants

/// Converts the table `notifier` into settings.
struct NotifierReader {
  private let regions: Set<String>
  private(set) var targets: [Target] = []
  /// The line and the kind of the first use of each name, including invalid tables.
  private var lines: [String: (number: SourceLine?, thing: String)] = [:]

  /// - Parameters:
  ///   - regions: The identifiers of all regions of the file.
  ///   - beacons: The UUIDs of its regions and beacons, for the digests of a hub.
  static func notifier(_ table: consuming TableReader, regions: Set<String>, beacons: [BeaconUUID]) -> NotifierSettings {
    var settings = NotifierSettings()
    if let count = table.read("parallel-commands", as: .integer(1...64), default: .integer(settings.parallelCommands)) {
      settings.parallelCommands = count
    }
    var reader = NotifierReader(regions: regions)
    let hub = table.table("hub")
    if let hub { reader.lines[HubSettings.name] = (hub.line, "table [notifier.hub]") }
    reader.readTargets(table.tables("target", called: "notifier target", TableSeries(identity: ["name"])))
    settings.actions = table.tables("action", called: "notifier action", TableSeries(identity: ["name"])).compactMap { reader.action($0) }
    settings.targets = reader.targets
    if let hub, let target = HubReader.target(hub, beacons: beacons) { settings.targets.append(target) }
    if let metrics = table.table("metrics") { settings.metrics = ConfigurationReader.metrics(metrics, of: .notifier) }
    table.finish()
    return settings
  }

  init(regions: Set<String> = []) {
    self.regions = regions
  }

  mutating func readTargets(_ tables: [TableReader]) {
    for var table in tables {
      let name = table.require("name", as: .name(of: "target", example: "shop-server"))
      if let name { take(name, &table, "target") }
      let means = TargetReader.means(&table)
      let policy = TargetReader.policy(&table, means?.defaultPolicy ?? DeliveryPolicy())
      TargetReader.checkCount(table, besides: nil)
      table.finish()
      if let name, let means { targets.append(Target(name: name, means, policy)) }
    }
  }

  /// Records a name, and reports it if another target or action has the same one.
  ///
  /// Targets and actions share their names because each has a queue under its name.
  mutating func take(_ name: String, _ table: inout TableReader, _ thing: String) {
    table.rename("\(thing) \(name.quoted)")
    if let first = lines[name] {
      table.report("name", "is already used by the \(first.thing) \(table.reference(to: first.number)); choose another one")
    } else if Target.application(named: name) != nil {
      table.report("name", "has a prefix that is reserved for apps; choose another one")
    } else if name == HubSettings.queue {
      table.report("name", "is reserved for the hub of a fleet; choose another one")
    } else {
      lines[name] = (table.line(of: "name"), thing)
    }
  }

  private mutating func action(_ table: consuming TableReader) -> EventAction? {
    let name = table.read("name", as: .name(of: "action", example: "welcome"))
    if let name { take(name, &table, "action") }
    let regions = table.read("region", as: .oneOrMore(example: "entrance"))
    for region in regions ?? [] where !self.regions.contains(region) {
      let advice = NearestName.of(region, in: self.regions).map { "did you mean \"\($0)\"?" } ?? "define it in a [[region]]"
      table.report("region", "there is no region \(region.quoted); \(advice)")
    }
    let triggers = table.read("events", as: .triggers)
    let targets = targets(&table, name: name)
    table.finish()
    guard !targets.isEmpty else { return nil }
    let stateTargets = triggers == nil ? targets.filter(\.means.keepsStates) : []
    return EventAction(
      regions: regions.map(Set.init), triggers: triggers ?? EventAction.defaultTriggers, targets: targets.map(\.name),
      stateTargets: Set(stateTargets.map(\.name)))
  }

  /// Returns the targets that an action names, or the one that the action defines itself.
  ///
  /// - Parameter name: The name of the action. With nil, the action's target is named after its kind.
  mutating func targets(_ table: inout TableReader, name: String?) -> [Target] {
    let names = table.read("target", as: .oneOrMore(example: "shop-server"))
    let means = TargetReader.means(&table)
    let policy = TargetReader.policy(&table, means?.defaultPolicy ?? DeliveryPolicy())
    TargetReader.checkCount(table, besides: "target")
    if let means {
      let taken = Set(targets.map(\.name)).union(lines.keys)
      let target = name.map { Target(name: $0, means, policy) } ?? Target(inline: means, policy, besides: taken)
      targets.append(target)
      return [target]
    }
    var found: [Target] = []
    for name in names ?? [] where !found.contains(where: { $0.name == name }) {
      if let target = targets.first(where: { $0.name == name }) {
        found.append(target)
      } else if name == HubSettings.name, lines[name]?.thing == "table [notifier.hub]" {
        table.report("target", "the hub receives every event without an action; remove it")
      } else if lines[name] == nil {
        let advice = NearestName.of(name, in: targets.map(\.name)).map { "did you mean \"\($0)\"?" } ?? "define it in a [[notifier.target]]"
        table.report("target", "there is no target \(name.quoted); \(advice)")
      }
    }
    return found
  }
}
