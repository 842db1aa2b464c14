import DBus
import Events
import MonitorProtocol

/// The daemon's journal, queried page by page. `EventFollower` joins the pages.
public struct RemoteJournal {
  public struct Names: Hashable, Sendable {
    /// The earlier journals that still have events, oldest first.
    public let earlier: [String]
    /// The journal in use.
    public let current: String
    /// The sequence of the last event in the journal in use.
    public let lastSequence: UInt64
  }

  /// The number of events that one answer may have.
  ///
  /// The daemon permits 250, which take 0.6 MB of its memory.
  public static let pageSize = 64

  let connection: DBusConnection

  public func names(_ completion: @escaping (Result<Names, DBusError>) -> Void) {
    call(StandardName.properties, "GetAll", [.string(MonitorNames.manager)]) { reply in
      completion(
        reply.flatMap { values in
          guard let current = values.first?["Journal"]?.string else {
            return .failure(
              .accessDenied(
                "only root and the group beaconmon receive events; to join the group, run \"sudo usermod -aG beaconmon $USER\" and log in again"
              ))
          }
          let (earlier, last) = (values.first?["EarlierJournals"]?.strings, values.first?["LastSequence"]?.integer(UInt64.self))
          return .success(Names(earlier: earlier ?? [], current: current, lastSequence: last ?? 0))
        })
    }
  }

  /// Requests the events after a place, in order, at most `limit`.
  ///
  /// `completion` takes nil if the journal has no more events and is not in use.
  public func events(
    after place: EventPlace, limit: Int = pageSize, completion: @escaping (Result<[Event]?, DBusError>) -> Void
  ) {
    let arguments: [DBusValue] = [.string(place.journal), .uint64(place.sequence), .uint32(UInt32(clamping: limit))]
    call(MonitorNames.manager, "EventsSince", arguments) { reply in
      switch reply {
      case .success(let values): completion(.success((values.first?.elements ?? []).compactMap { Event($0) }))
      case .failure(let error) where error.monitorError == .journalChanged: completion(.success(nil))
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  func call(
    _ interface: String, _ member: String, _ arguments: [DBusValue], completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: interface, member: member, arguments, completion: completion)
  }
}
