import Beacons
import DBus
import Events
import Geodesy
import Instants
import MonitorProtocol
import Monitoring
import Proximity
import Records
import Regions

/// A property of the object of a configured region. It is absent if it does not apply to the region's kind.
///
/// The list exists once for all regions, because there may be thousands.
struct RegionProperty: Sendable {
  let name: String
  /// The key of the value in a record.
  let key: String
  let signature: String
  private let change: DBusProperty.Change
  private let read: @Sendable (RegionWatch, MonitoringService) -> DBusValue?

  private init<Value>(
    _ key: RecordKey<Value>, change: DBusProperty.Change = .value, _ read: @escaping @Sendable (RegionWatch, MonitoringService) -> Value?
  ) {
    (name, self.key, signature, self.change) = (key.propertyName, key.name, key.signature, change)
    self.read = { read($0, $1).flatMap(key.dbusValue) }
  }

  /// Returns the property of one region.
  func of(_ identifier: String, _ monitoring: MonitoringService) -> DBusProperty {
    DBusProperty(name, signature, change: change) { [unowned monitoring, read] in
      monitoring.watch(identifier, of: .config).flatMap { read($0, monitoring) }
    }
  }
}

extension RegionProperty {
  static let identifier = RegionProperty(RegionStatus.key(\.identifier), change: .constant) { watch, _ in watch.region.identifier }
  static let kind = RegionProperty(RegionStatus.key(\.kind)) { watch, _ in watch.region.kind }

  /// The properties that change with each transition.
  static let ofTransition = [
    RegionProperty(RegionReport.key(\.state)) { watch, _ in watch.state },
    RegionProperty(RegionReport.key(\.since)) { watch, monitoring in
      monitoring.isClockKnown ? monitoring.wallClock(watch.since) : nil
    },
    beacon(RegionReport.key(\.beacon)) { watch, _ in watch.lastSatisfied.map { Event.Beacon($0.beacon) } },
  ]

  static let ofHealth = [
    beacon(RegionReport.key(\.lastSeen), change: .silent) { watch, monitoring in
      (watch.lastSatisfied?.lastSeen).map(monitoring.wallClock)
    },
    RegionProperty(RegionReport.key(\.note), change: .silent) { watch, monitoring in watch.note(monitoring) },
    RegionProperty(RegionStatus.key(\.flaps), change: .silent) { watch, monitoring in
      UInt64(watch.flapping(at: monitoring.now).count)
    },
    RegionProperty(RegionStatus.key(\.advice), change: .silent) { watch, monitoring in
      watch.flapping(at: monitoring.now).advice?.text
    },
  ]

  static let ofBeacons = [
    beacon(RegionStatus.key(\.uuid)) { watch, _ in watch.region.constraint.uuid },
    beacon(RegionStatus.key(\.major)) { watch, _ in watch.region.constraint.major },
    beacon(RegionStatus.key(\.minor)) { watch, _ in watch.region.constraint.minor },
    beacon(RegionStatus.key(\.exitDelay)) { watch, _ in watch.region.exitDelay },
    beacon(RegionStatus.key(\.learnsExitDelay)) { watch, _ in watch.region.learnsExitDelay },
    beacon(RegionStatus.key(\.learnedExitDelay), change: .silent) { watch, _ in
      watch.exitDelay > watch.region.exitDelay ? watch.exitDelay : nil
    },
    beacon(RegionStatus.key(\.within)) { watch, _ in watch.region.nearness?.within },
    beacon(RegionStatus.key(\.leaveBeyond)) { watch, _ in watch.region.nearness?.leaveBeyond },
    beacon(RegionStatus.key(\.hold)) { watch, monitoring in
      watch.region.nearness.map { $0.departureHold($0.method(monitoring.distanceMethod)) }
    },
    beacon(RegionStatus.key(\.nearestOnly)) { watch, _ in watch.region.nearness?.isNearestOnly },
    beacon(RegionStatus.key(\.minimumRSSI)) { watch, _ in watch.region.minimumRSSI },
    beacon(RegionStatus.key(\.enterSightings)) { watch, _ in (watch.region.entry?.sightings).map { UInt16(clamping: $0) } },
    beacon(RegionStatus.key(\.enterTime)) { watch, _ in watch.region.entry?.within },
  ]

  static let ofDefinition = [
    RegionProperty(RegionStatus.key(\.dwell)) { watch, _ in watch.region.dwell },
    RegionProperty(RegionStatus.key(\.assume)) { watch, _ in watch.region.assumed == .unknown ? nil : watch.region.assumed },
    RegionProperty(RegionStatus.key(\.notifyOnEntry)) { watch, _ in watch.region.notifyOnEntry },
    RegionProperty(RegionStatus.key(\.notifyOnExit)) { watch, _ in watch.region.notifyOnExit },
  ]

  static let ofCircle = [
    circle(RegionStatus.key(\.latitude)) { watch, _ in watch.region.circle.center.latitude },
    circle(RegionStatus.key(\.longitude)) { watch, _ in watch.region.circle.center.longitude },
    circle(RegionStatus.key(\.radius)) { watch, _ in watch.region.circle.radius },
    circle(RegionReport.key(\.boundaryDistance), change: .silent) { watch, monitoring in
      monitoring.lastFix.map { watch.region.boundaryDistance(to: $0) }
    },
    circle(RegionReport.key(\.fixTime), change: .silent) { _, monitoring in (monitoring.lastFix?.time).map(monitoring.wallClock) },
    circle(RegionStatus.key(\.scanOnlyNear)) { watch, _ in watch.region.gate != nil },
    circle(RegionStatus.key(\.scanOnlyBelow)) { watch, _ in watch.region.gate?.mostSpeed },
  ]

  static let ofPlace = [
    place(RegionStatus.key(\.place)) { watch, _ in watch.region.area.place },
    place(RegionStatus.key(\.level)) { watch, _ in watch.region.area.level },
    place(RegionStatus.key(\.venue)) { watch, _ in watch.region.area.venue },
  ]

  /// All properties in their order on the bus.
  static let all = [identifier, kind] + ofTransition + ofHealth + ofBeacons + ofDefinition + ofCircle + ofPlace

  /// The properties that the definition of a region sets.
  static let definition = [identifier] + (ofBeacons + ofDefinition + ofCircle + ofPlace).filter { $0.change == .value }

  /// Returns the names of the properties that may change with another definition of a region of these kinds.
  static func namesOfDefinition(_ kinds: Set<RegionKind>) -> [String] {
    let own = kinds.sorted { $0.rawValue < $1.rawValue }.flatMap { kind in
      switch kind {
      case .beacon: ofBeacons
      case .circle: ofCircle
      case .place: ofPlace
      }
    }
    return (ofTransition + [kind] + ofDefinition + own.filter { $0.change == .value }).map(\.name)
  }

  private static func beacon<Value>(
    _ key: RecordKey<Value>, change: DBusProperty.Change = .value,
    _ read: @escaping @Sendable (BeaconWatch, MonitoringService) -> Value?
  ) -> RegionProperty {
    RegionProperty(key, change: change) { watch, monitoring in watch.beacon.flatMap { read($0, monitoring) } }
  }

  private static func circle<Value>(
    _ key: RecordKey<Value>, change: DBusProperty.Change = .value,
    _ read: @escaping @Sendable (CircleWatch, MonitoringService) -> Value?
  ) -> RegionProperty {
    RegionProperty(key, change: change) { watch, monitoring in watch.circle.flatMap { read($0, monitoring) } }
  }

  private static func place<Value>(
    _ key: RecordKey<Value>, _ read: @escaping @Sendable (PlaceWatch, MonitoringService) -> Value?
  ) -> RegionProperty {
    RegionProperty(key, change: .value) { watch, monitoring in watch.place.flatMap { read($0, monitoring) } }
  }
}

extension Flapping.Advice {
  /// The setting in the syntax of the config.
  fileprivate var text: String {
    switch self {
    case .exitDelay(let delay): "exit-delay = \"\(delay.text)\""
    case .leaveBeyond(let metres): "leave-beyond = \(metres)"
    case .enterSightings(let count): "enter-sightings = \(count)"
    case .radius(let metres): "radius = \(metres)"
    }
  }
}
