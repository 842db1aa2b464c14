import BeaconAdvertising
import DBus
import Instants
import Records
import Regions

/// The daemon, seen from another program. What was asked for once holds across restarts of the daemon and of the bus.
public final class MonitorClient {
  let connection: DBusConnection

  public init(_ connection: DBusConnection) {
    self.connection = connection
  }

  /// Calls `handler` as soon as it is known whether the daemon is there, then whenever it comes or goes, while the watch is held.
  public func watchPresence(_ handler: @escaping (Bool) -> Void) -> NameWatch {
    connection.watchName(MonitorNames.bus) { handler($0 != nil) }
  }

  /// Calls `handler` with every region event of the config's regions while the subscription is held.
  public func subscribeToEvents(_ handler: @escaping (Record) -> Void) -> SignalSubscription {
    let rule = MatchRule(sender: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.manager, member: "RegionEvent")
    return connection.addMatch(rule) { signal in
      guard signal.signature == "tsoa{sv}", let event = Record(signal.arguments[3]) else { return }
      handler(event)
    }
  }

  /// Ranges a constraint while the object is held: `handler` gets a snapshot at once and then one a second.
  public func range(
    _ constraint: BeaconConstraint, onFailure: @escaping (DBusError) -> Void, handler: @escaping (RangingSnapshot) -> Void
  ) -> RemoteStream {
    RemoteStream(connection, start: ("StartRanging", [constraint.record.dbusValue]), signal: "Ranged", onFailure: onFailure) { signal in
      guard signal.signature == "a{sv}taa{sv}", let time = signal.arguments[1].integer(Int64.self) else { return }
      let beacons = (signal.arguments[2].elements ?? []).compactMap { Record($0) }
      handler(RangingSnapshot(time: Instant(microseconds: time), beacons: beacons))
    }
  }

  /// Looks around while the object is held: `handler` gets all that was heard once a second.
  public func scan(onFailure: @escaping (DBusError) -> Void, handler: @escaping (Record) -> Void) -> RemoteStream {
    RemoteStream(connection, start: ("StartScanning", []), signal: "Scanned", onFailure: onFailure) { signal in
      guard signal.signature == "a{sv}", let scan = Record(signal.arguments[0]) else { return }
      handler(scan)
    }
  }

  /// Has what the daemon hears written into `socket`, one end of a Unix stream, as a capture. The number stays the caller's, and may be closed
  /// at once: the daemon gets a duplicate.
  public func record(into socket: Int32, _ options: RecordingOptions, completion: @escaping (Result<Void, DBusError>) -> Void) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.manager, member: "StartRecording",
      [.unixFD(socket), options.dbusValue]
    ) { completion($0.map { _ in }) }
  }

  /// Asks for everything that `beaconmon status` shows.
  public func status(_ completion: @escaping (Result<MonitorStatus, DBusError>) -> Void) {
    getAll { [connection] manager in
      switch manager {
      case .failure(let error): completion(.failure(error))
      case .success(let manager):
        connection.call(
          destination: MonitorNames.bus, path: MonitorNames.root, interface: "org.freedesktop.DBus.ObjectManager",
          member: "GetManagedObjects"
        ) { reply in
          completion(reply.map { MonitorStatus(manager: manager, objects: $0.first) })
        }
      }
    }
  }

  private func getAll(_ completion: @escaping (Result<Record, DBusError>) -> Void) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: "org.freedesktop.DBus.Properties", member: "GetAll",
      [.string(MonitorNames.manager)]
    ) { reply in
      completion(reply.map { Record(properties: $0.first) })
    }
  }
}

/// What the daemon says of itself and of its regions, with the keys of JSON.
public struct MonitorStatus {
  public let manager: Record
  /// By identifier.
  public let regions: [Record]

  /// As one JSON object has it: the manager's keys and `regions`.
  public var record: Record {
    var record = manager
    record.append("regions", .list(regions))
    return record
  }

  init(manager: Record, objects: DBusValue?) {
    self.manager = manager
    regions = (objects?.entries ?? [])
      .compactMap { object in object.value[MonitorNames.region].map { Record(properties: $0) } }
      .sorted { ($0["identifier"]?.text ?? "") < ($1["identifier"]?.text ?? "") }
  }
}

/// One second of ranging.
public struct RangingSnapshot {
  public let time: Instant
  /// Nearest first, unknown distances last.
  public let beacons: [Record]

  /// As one line of JSON has it: `{time, beacons[]}`.
  public var record: Record { Record(["time": .time(time), "beacons": .list(beacons)]) }

  public init(time: Instant, beacons: [Record]) {
    self.time = time
    self.beacons = beacons
  }
}

extension Record {
  /// Properties are PascalCase on the bus; their keys are camelCase everywhere else.
  init(properties: DBusValue?) {
    self.init()
    for entry in properties?.entries ?? [] {
      guard let name = entry.key.string, let inner = Record(.options([(name.lowercasedFirst, entry.value.unwrapped)])) else { continue }
      for (key, value) in inner.fields { append(key, value) }
    }
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
