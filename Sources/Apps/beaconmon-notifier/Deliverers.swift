import Deliveries
import Delivery
import EventActions
import EventLoop
import Failures
import Instants
import Logging
import MQTT
import MonitorConfiguration
import Publishing
import Records
import Regions

/// The couriers of all targets of the configuration, and who gets which event.
final class Deliverers {
  private let mailroom: Mailroom
  private let maker: TargetMaker
  private var settings = NotifierSettings()
  private var couriers: [String: Courier] = [:]
  private var brokers: [String: MQTTTarget] = [:]

  init(_ mailroom: Mailroom, _ maker: TargetMaker) {
    self.mailroom = mailroom
    self.maker = maker
  }

  /// Whether the daemon is there: who looks at a broker has to know.
  var isMonitorThere = false {
    didSet { tellBrokers() }
  }

  /// Puts a configuration into effect. One whose secrets cannot be read changes nothing. What did not change goes on undisturbed.
  func use(_ configuration: Configuration) throws(Failure) {
    let settings = configuration.notifier
    let regions = configuration.regions.map(\.identifier)
    var made: [(target: Target, place: any DeliveryTarget)] = []
    for target in settings.targets where couriers[target.name]?.target != target || target.means.isRemote {
      let announced = regions.filter { region in
        settings.actions.contains { $0.targets.contains(target.name) && $0.regions?.contains(region) ?? true }
      }
      let place = try maker.make(target) { [mailroom] home in Self.announcements(home, announced, target.name, mailroom) }
      made.append((target, place))
    }
    self.settings = settings
    maker.slots.count = settings.parallelCommands
    let names = Set(settings.targets.map(\.name))
    for name in made.map(\.target.name) + couriers.keys.filter({ !names.contains($0) }) {
      couriers[name] = nil
      brokers[name] = nil
    }
    mailroom.bury(allBut: names)
    for (target, place) in made {
      couriers[target.name] = Courier(maker.loop, target, at: place, lanes: maker.lanes(of: target), mailroom, log: maker.log)
      brokers[target.name] = place as? MQTTTarget
    }
    tellBrokers()
  }

  private func tellBrokers() {
    for broker in brokers.values { broker.isMonitorThere = isMonitorThere }
  }

  /// Queues events; false when the disk fails and they have to come again.
  func accept(_ events: [Record], age: (Record) -> Span) -> Bool {
    guard let touched = mailroom.accept(events, age: age, targets: { settings.actions.targets(for: $0) }) else { return false }
    for name in touched { couriers[name]?.nudge() }
    return true
  }

  private static func announcements(
    _ home: HomeAssistant, _ regions: [String], _ target: String, _ mailroom: Mailroom
  ) -> AnySequence<Publication> {
    let removed = mailroom.announce(Set(regions), to: target)
    return AnySequence([removed.sorted().lazy.flatMap(home.removals), regions.lazy.flatMap(home.announcements)].lazy.joined())
  }
}
