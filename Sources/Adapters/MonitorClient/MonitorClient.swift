import Beacons
import DBus
import Events
import Instants
import MonitorProtocol
import Records

/// The daemon as seen from another program. Requests continue across restarts of the daemon and of the bus.
public final class MonitorClient {
  let connection: DBusConnection

  public init(_ connection: DBusConnection) {
    self.connection = connection
  }

  /// Calls `handler` when the daemon's presence is known, and at each change, while the returned watch is held.
  public func watchPresence(_ handler: @escaping (Bool) -> Void) -> NameWatch {
    connection.watchName(MonitorNames.bus) { handler($0 != nil) }
  }

  /// Lets the bus start the daemon, which `watchPresence` then reports.
  ///
  /// - Parameter completion: takes nil, or the reason why the bus cannot start the daemon.
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

  /// Calls `completion` when the daemon gives any answer. Every user may ping the daemon.
  public func ping(_ completion: @escaping () -> Void) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: "org.freedesktop.DBus.Peer", member: "Ping", []
    ) { _ in completion() }
  }

  /// Checks that this user is an insider. Other users receive neither the events nor an error about that.
  ///
  /// - Parameter completion: takes nil for an insider, and an error for any other user.
  public func checkAccess(_ completion: @escaping (DBusError?) -> Void) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: StandardName.properties, member: "Get",
      [.string(MonitorNames.manager), .string("Journal")]
    ) { reply in
      switch reply {
      case .success: completion(nil)
      case .failure(let error): completion(error)
      }
    }
  }

  /// Calls `handler` with the events of the configured regions after `places`, while the returned follower is held.
  ///
  /// The missed events come first, then new ones, in order. Each event's `place` is the point from which to continue after it.
  ///
  /// - Parameter start: the start for a follower without a place.
  public func followEvents(
    from places: EventPlaces = EventPlaces(), orFrom start: EventFollower.Start = .now, handler: @escaping ([Event]) -> Void
  ) -> EventFollower {
    EventFollower(connection, ConfiguredEvents(connection), from: places, orFrom: start, handler: handler)
  }

  /// Calls `handler` with the events after `places` of the regions that this user's apps have registered.
  ///
  /// The missed events come first, then new ones, in order, while the returned follower is held. A follower without a place begins with
  /// the oldest event.
  ///
  /// - Parameter purpose: the reason for following, shown in the list of clients.
  public func followRegistered(
    from places: EventPlaces = EventPlaces(), purpose: String, handler: @escaping ([Event]) -> Void
  ) -> EventFollower {
    EventFollower(connection, RegisteredEvents(connection, purpose: purpose), from: places, orFrom: .beginning, handler: handler)
  }

  /// Requests the apps and pages that the daemon's venues offer, with the keys of `OfferReport`. Every user may do so.
  ///
  /// - Parameter locale: the language of the texts, as in LANG.
  public func venueOffers(locale: String, completion: @escaping (Result<[Record], DBusError>) -> Void) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.venue, member: "Offers",
      [.options(["locale": .string(locale)])]
    ) { reply in completion(reply.map { ($0.first?.elements ?? []).compactMap { Record($0) } }) }
  }

  public var journal: RemoteJournal { RemoteJournal(connection: connection) }

  /// Scans while the returned object is held: `handler` takes all beacons in range once a second.
  public func scan(onFailure: @escaping (DBusError) -> Void, handler: @escaping (Record) -> Void) -> RemoteStream {
    RemoteStream(
      connection, purpose: "beaconmon shows an installer which beacons there are", start: [("StartScanning", [])], signals: ["Scanned"],
      onFailure: onFailure
    ) { signal in
      guard signal.signature == "a{sv}", let scan = Record(signal.arguments[0]) else { return }
      handler(scan)
    }
  }

  /// Lets the daemon record advertisements as a capture into `socket`, one end of a Unix stream.
  ///
  /// The caller keeps the descriptor, and may close it at once: the daemon gets a duplicate.
  public func record(into socket: Int32, _ options: RecordingOptions, completion: @escaping (Result<Void, DBusError>) -> Void) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.manager, member: "StartRecording",
      [.unixFD(socket), options.dbusValue]
    ) { completion($0.map { _ in }) }
  }

  /// Makes the daemon read its configuration again. Only its own user and root may do so.
  ///
  /// - Parameter completion: takes nil, or the reason why the daemon keeps the former configuration.
  public func reload(_ completion: @escaping (DBusError?) -> Void) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.manager, member: "Reload", []
    ) { reply in
      if case .failure(let error) = reply { completion(error) } else { completion(nil) }
    }
  }

  /// Requests everything that `beaconmon status` shows, as one JSON object with the keys of `MonitorStatus`.
  ///
  /// Adapters are sorted by address, and regions by identifier.
  public func status(_ completion: @escaping (Result<Record, DBusError>) -> Void) {
    connection.properties(MonitorNames.manager) { [connection] manager in
      // A further call would start a daemon that has ended, and wait for one that hangs.
      guard case .success(var status) = manager else { return completion(manager) }
      connection.properties(MonitorNames.privacy) { privacy in
        guard case .success(let properties) = privacy else { return completion(privacy) }
        for (key, value) in properties.fields { status.append(key, value) }
        connection.managedObjects { objects in
          do throws(DBusError) {
            let objects = try objects.get()
            status.append("adapters", .list(objects.properties(MonitorNames.adapter, by: "address")))
            status.append("regions", .list(objects.properties(MonitorNames.region, by: "identifier")))
            completion(.success(status))
          } catch {
            completion(.failure(error))
          }
        }
      }
    }
  }
}

extension DBusConnection {
  /// Requests the properties of an interface of the root object.
  func properties(_ interface: String, _ completion: @escaping (Result<Record, DBusError>) -> Void) {
    call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: StandardName.properties, member: "GetAll",
      [.string(interface)]
    ) { completion($0.map { Record(properties: $0.first) }) }
  }

  /// Requests the objects of the adapters and the configured regions, with their properties.
  func managedObjects(_ completion: @escaping (Result<DBusValue?, DBusError>) -> Void) {
    call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: "org.freedesktop.DBus.ObjectManager", member: "GetManagedObjects"
    ) { completion($0.map(\.first)) }
  }
}

extension DBusValue? {
  /// Returns the properties of the managed objects that have an interface, sorted by one of them.
  func properties(_ interface: String, by key: String) -> [Record] {
    (self?.entries ?? [])
      .compactMap { object in object.value[interface].map { Record(properties: $0) } }
      .sorted { ($0[key]?.text ?? "") < ($1[key]?.text ?? "") }
  }
}
