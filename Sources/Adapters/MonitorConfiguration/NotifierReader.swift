import Deliveries
import EventActions
import Instants

/// Turns the table `notifier` into settings.
struct NotifierReader {
  private let regions: Set<String>
  private var targets: [Target] = []
  /// Where each name was given first, also to a target that has mistakes.
  private var lines: [String: Int] = [:]

  /// - Parameter regions: the identifiers of all regions of the file.
  static func notifier(_ table: consuming TableReader, regions: Set<String>) -> NotifierSettings {
    var settings = NotifierSettings()
    if let count = table.read("parallel-commands", as: .integer(1...64)) { settings.parallelCommands = count }
    var reader = NotifierReader(regions: regions)
    reader.readTargets(table.tables("target", called: "notifier target"))
    settings.actions = table.tables("action", called: "notifier action").compactMap { reader.action($0) }
    settings.targets = reader.targets
    table.finish()
    return settings
  }

  private init(regions: Set<String>) {
    self.regions = regions
  }

  private mutating func readTargets(_ tables: [TableReader]) {
    for var table in tables {
      let name = table.require("name", as: .name(of: "target", example: "shop-server"))
      if let name {
        table.rename("target \(name.quoted)")
        if let first = lines[name] {
          table.report("name", "is already that of the target in line \(first); give each target its own")
        } else if Target.application(named: name) != nil {
          table.report("name", "begins as the names of apps do that are woken; give it another one")
        } else {
          lines[name] = table.line(of: "name")
        }
      }
      let means = TargetReader.means(&table)
      let policy = TargetReader.policy(&table, means?.defaultPolicy ?? DeliveryPolicy())
      TargetReader.checkCount(table, besides: nil)
      table.finish()
      if let name, let means { targets.append(Target(name: name, means, policy)) }
    }
  }

  private mutating func action(_ table: consuming TableReader) -> EventAction? {
    let regions = table.read("region", as: .oneOrMore(example: "entrance"))
    for region in regions ?? [] where !self.regions.contains(region) {
      let advice = NearestName.of(region, in: self.regions).map { "did you mean \"\($0)\"?" } ?? "define it in a [[region]]"
      table.report("region", "there is no region \(region.quoted); \(advice)")
    }
    let triggers = table.read("events", as: .triggers)
    let targets = targets(&table)
    table.finish()
    guard !targets.isEmpty else { return nil }
    let keepers = triggers == nil ? targets.filter(\.means.keepsStates) : []
    return EventAction(
      regions: regions.map(Set.init), triggers: triggers ?? EventAction.defaultTriggers, targets: targets.map(\.name),
      stateKeepers: Set(keepers.map(\.name)))
  }

  /// Those that an action names, or the one that it brings itself.
  private mutating func targets(_ table: inout TableReader) -> [Target] {
    let names = table.read("target", as: .oneOrMore(example: "shop-server"))
    let means = TargetReader.means(&table)
    let policy = TargetReader.policy(&table, means?.defaultPolicy ?? DeliveryPolicy())
    TargetReader.checkCount(table, besides: "target")
    if let means {
      let target = Target(inline: means, policy, besides: Set(targets.map(\.name)))
      targets.append(target)
      return [target]
    }
    var found: [Target] = []
    for name in names ?? [] where !found.contains(where: { $0.name == name }) {
      if let target = targets.first(where: { $0.name == name }) {
        found.append(target)
      } else if lines[name] == nil {
        let advice = NearestName.of(name, in: targets.map(\.name)).map { "did you mean \"\($0)\"?" } ?? "define it in a [[notifier.target]]"
        table.report("target", "there is no target \(name.quoted); \(advice)")
      }
    }
    return found
  }
}
