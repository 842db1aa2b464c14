import DBus
import Events
import MonitorProtocol

/// The daemon's journal, asked piece by piece. `EventFollower` puts the pieces together.
public struct RemoteJournal {
  public struct Names: Hashable, Sendable {
    /// Those of which events are left, oldest first.
    public let earlier: [String]
    /// The one in use.
    public let current: String
    /// Of its last event.
    public let lastSequence: UInt64
  }

  /// More are not sent at once.
  public static let pageSize = 250

  let connection: DBusConnection

  public func names(_ completion: @escaping (Result<Names, DBusError>) -> Void) {
    call("org.freedesktop.DBus.Properties", "GetAll", [.string(MonitorNames.manager)]) { reply in
      completion(
        reply.flatMap { values in
          guard let current = values.first?["Journal"]?.string else {
            return .failure(
              .accessDenied("only root and the group beaconmon are told; run \"sudo usermod -aG beaconmon $USER\" and log in again"))
          }
          let (earlier, last) = (values.first?["EarlierJournals"]?.strings, values.first?["LastSequence"]?.integer(UInt64.self))
          return .success(Names(earlier: earlier ?? [], current: current, lastSequence: last ?? 0))
        })
    }
  }

  /// The events after a place, in order, at most `limit`; nil when that journal has no more and is not the one in use.
  public func events(
    after place: EventPlace, limit: Int = pageSize, completion: @escaping (Result<[Event]?, DBusError>) -> Void
  ) {
    let arguments: [DBusValue] = [.string(place.journal), .uint64(place.sequence), .uint32(UInt32(clamping: limit))]
    call(MonitorNames.manager, "EventsSince", arguments) { reply in
      switch reply {
      case .success(let values): completion(.success((values.first?.elements ?? []).compactMap { Event($0) }))
      case .failure(let error) where error.name == MonitorNames.errorPrefix + MonitorNames.journalChanged: completion(.success(nil))
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  private func call(
    _ interface: String, _ member: String, _ arguments: [DBusValue], completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: interface, member: member, arguments, completion: completion)
  }
}
