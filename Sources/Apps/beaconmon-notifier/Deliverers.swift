import Deliveries
import Delivery
import EventActions
import EventLoop
import Events
import Failures
import Instants
import Logging
import MQTT
import MonitorConfiguration
import Publishing
import Records
import Regions

/// The workers of all configured targets, and the selection of targets for each event.
final class Deliverers {
  private let mailroom: Mailroom
  private let maker: TargetMaker
  private var settings = NotifierSettings()
  private var couriers: [String: Courier] = [:]
  private var brokers: [String: MQTTTarget] = [:]
  /// The last known state of each region, and the beacon that decided it.
  /// A broker that is new, or has lost its retained messages, gets them before the next event.
  private var standings: [String: (state: RegionState, beacon: Event.Beacon?)] = [:]

  /// Whether apps are woken at the regions that they have registered.
  private let wakesApplications: Bool

  init(_ mailroom: Mailroom, _ maker: TargetMaker, wakesApplications: Bool) {
    self.mailroom = mailroom
    self.maker = maker
    self.wakesApplications = wakesApplications
  }

  /// Whether an action needs events at the regions of the configuration.
  var hasActions: Bool { !settings.actions.isEmpty }

  /// Whether the daemon runs, for the status that brokers show.
  var isMonitorThere = false {
    didSet { tellBrokers() }
  }

  /// The circle regions.
  private var circles: Set<String> = []

  /// Applies a configuration; targets that did not change continue without interruption.
  /// If its secrets cannot be read, nothing changes.
  func use(_ configuration: Configuration) throws(Failure) {
    let settings = configuration.notifier
    let regions = configuration.regions.map(\.identifier)
    var made: [(target: Target, place: any DeliveryTarget)] = []
    for target in settings.targets where couriers[target.name]?.target != target || target.means.isRemote {
      let announced = regions.filter { region in
        settings.actions.contains { $0.targets.contains(target.name) && $0.regions?.contains(region) ?? true }
      }
      let place = try maker.make(target) { [unowned self] in announcements($0, $1, announced, target.name) }
      made.append((target, place))
    }
    self.settings = settings
    circles = Set(configuration.regions.lazy.filter { $0.kind == .circle }.map(\.identifier))
    maker.slots.count = settings.parallelCommands
    let names = Set(settings.targets.map(\.name))
    for name in made.map(\.target.name) + couriers.keys.filter({ !names.contains($0) && Target.application(named: $0) == nil }) {
      couriers[name] = nil
      brokers[name] = nil
    }
    mailroom.bury { names.contains($0) || wakesApplications && Target.application(named: $0) != nil }
    for (target, place) in made {
      couriers[target.name] = Courier(maker.loop, target, at: place, lanes: maker.lanes(of: target), mailroom, log: maker.log)
      brokers[target.name] = place as? MQTTTarget
    }
    if wakesApplications { mailroom.readTargets { [weak self] in self?.wakeApplications($0) } }
    tellBrokers()
  }

  private func tellBrokers() {
    for broker in brokers.values { broker.isMonitorThere = isMonitorThere }
  }

  /// Takes the regions' states from the daemon, for changes that no event reported.
  func note(_ regions: [Record]) {
    for region in regions {
      guard let identifier = region["identifier"]?.text, let state = region["state"]?.text.flatMap(RegionState.init(rawValue:)) else {
        continue
      }
      standings[identifier] = (state, region["beacon"]?.record.flatMap { Event.Beacon($0) })
    }
    for broker in brokers.values { broker.announce() }
  }

  /// Queues events; returns false if the disk fails and the events must be sent again.
  func accept(_ events: [Event], age: (Event) -> Span) -> Bool {
    guard let touched = mailroom.accept(events, age: age, targets: { settings.actions.targets(for: $0) }) else { return false }
    for event in events {
      if let region = event.region, let state = event.state { standings[region] = (state, event.beacon) }
    }
    for name in touched { couriers[name]?.nudge() }
    return true
  }

  private func announcements(
    _ topics: TopicTree, _ home: HomeAssistant?, _ regions: [String], _ target: String
  ) -> AnySequence<Publication> {
    let states = regions.lazy.flatMap { [standings] region in
      standings[region].map { topics.standing($0.state, $0.beacon, of: region) } ?? []
    }
    guard let home else { return AnySequence(states) }
    let removed = mailroom.announce(Set(regions), to: target)
    let announced = regions.lazy.flatMap { [circles] in home.announcements(of: $0, hasBeacons: !circles.contains($0)) }
    let entities = [removed.sorted().lazy.flatMap(home.removals), announced].lazy.joined()
    return AnySequence([AnySequence(entities), AnySequence(states)].joined())
  }
}

// MARK: Apps

extension Deliverers {
  /// Queues events at registered regions for their apps; returns false if the disk fails and the events must be sent again.
  func acceptRegistered(_ events: [Event], age: (Event) -> Span) -> Bool {
    let touched = mailroom.accept(events, of: .registered, age: age) { event in
      event.appID.map { [Target(application: $0).name] } ?? []
    }
    guard let touched else { return false }
    wakeApplications(Array(touched))
    return true
  }

  /// Creates a worker for each app with its first event.
  private func wakeApplications(_ names: [String]) {
    for name in names {
      guard let id = Target.application(named: name) else { continue }
      if let courier = couriers[name] {
        courier.nudge()
        continue
      }
      let target = Target(application: id)
      do throws(Failure) {
        couriers[name] = Courier(
          maker.loop, target, at: try maker.make(target), lanes: maker.lanes(of: target), mailroom, log: maker.log)
      } catch {
        maker.log.error("\(error)")
      }
    }
  }
}
