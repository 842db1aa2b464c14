import BeaconAdvertising
import DBus
import Events
import Instants
import MonitorProtocol
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

  /// Has the bus start the daemon, which `watchPresence` then tells of; `completion` gets the reason where the bus cannot.
  public func activate(_ completion: @escaping (DBusError?) -> Void) {
    connection.call(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "StartServiceByName",
      [.string(MonitorNames.bus), .uint32(0)]
    ) { reply in
      switch reply {
      case .success: completion(nil)
      case .failure(let error): completion(error)
      }
    }
  }

  /// Calls `completion` when the daemon answers anything at all, which everybody may ask of it.
  public func ping(_ completion: @escaping () -> Void) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: "org.freedesktop.DBus.Peer", member: "Ping", []
    ) { _ in completion() }
  }

  /// Asks whether the daemon tells this user everything: whoever it does not tell does not receive its events either, and of those nobody tells.
  public func checkAccess(_ completion: @escaping (DBusError?) -> Void) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: "org.freedesktop.DBus.Properties", member: "Get",
      [.string(MonitorNames.manager), .string("Journal")]
    ) { reply in
      switch reply {
      case .success: completion(nil)
      case .failure(let error): completion(error)
      }
    }
  }

  /// Calls `handler` with the region events of the config's regions after `places`, those that were missed and then those that happen, in order,
  /// while the follower is held. Each event's `place` is where to go on after it.
  ///
  /// - Parameter start: where one begins who has no place yet.
  public func followEvents(
    from places: EventPlaces = EventPlaces(), orFrom start: EventFollower.Start = .now, handler: @escaping ([Event]) -> Void
  ) -> EventFollower {
    EventFollower(connection, from: places, orFrom: start, handler: handler)
  }

  public var journal: RemoteJournal { RemoteJournal(connection: connection) }

  /// Ranges a constraint while the object is held: `handler` gets a snapshot at once and then one a second.
  public func range(
    _ constraint: BeaconConstraint, onFailure: @escaping (DBusError) -> Void, handler: @escaping (RangingSnapshot) -> Void
  ) -> RemoteStream {
    RemoteStream(
      connection, purpose: "beaconmon shows an installer how far beacons are", start: ("StartRanging", [constraint.record.dbusValue]),
      signals: ["Ranged"], onFailure: onFailure
    ) { signal in
      guard signal.signature == "a{sv}taa{sv}", let time = signal.arguments[1].integer(Int64.self) else { return }
      let beacons = (signal.arguments[2].elements ?? []).compactMap { Record($0) }
      handler(RangingSnapshot(time: Instant(microseconds: time), beacons: beacons))
    }
  }

  /// Looks around while the object is held: `handler` gets all that was heard once a second.
  public func scan(onFailure: @escaping (DBusError) -> Void, handler: @escaping (Record) -> Void) -> RemoteStream {
    RemoteStream(
      connection, purpose: "beaconmon shows an installer which beacons there are", start: ("StartScanning", []), signals: ["Scanned"],
      onFailure: onFailure
    ) { signal in
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
    getAll { [connection, privacy] manager in
      privacy.standing { standing in
        do throws(DBusError) {
          var manager = try manager.get()
          let (isEnabled, note) = try standing.get()
          manager.append("locationServicesEnabled", .flag(isEnabled))
          manager.append("consentNote", note.map { .text($0) })
          connection.call(
            destination: MonitorNames.bus, path: MonitorNames.root, interface: "org.freedesktop.DBus.ObjectManager",
            member: "GetManagedObjects"
          ) { reply in
            completion(reply.map { MonitorStatus(manager: manager, objects: $0.first) })
          }
        } catch {
          completion(.failure(error))
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
  /// By address.
  public let adapters: [Record]
  /// By identifier.
  public let regions: [Record]

  /// As one JSON object has it: the manager's keys, `adapters` and `regions`.
  public var record: Record {
    var record = manager
    record.append("adapters", .list(adapters))
    record.append("regions", .list(regions))
    return record
  }

  init(manager: Record, objects: DBusValue?) {
    self.manager = manager
    func records(_ interface: String, by key: String) -> [Record] {
      (objects?.entries ?? [])
        .compactMap { object in object.value[interface].map { Record(properties: $0) } }
        .sorted { ($0[key]?.text ?? "") < ($1[key]?.text ?? "") }
    }
    adapters = records(MonitorNames.adapter, by: "address")
    regions = records(MonitorNames.region, by: "identifier")
  }
}

/// One second of ranging.
public struct RangingSnapshot: Hashable, Sendable {
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
