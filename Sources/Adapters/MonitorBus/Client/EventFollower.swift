import DBus
import Records

/// The events of the config's regions from a place on: first those that were missed, then those that happen, each once and in order, over restarts
/// of the daemon and of the bus.
public final class EventFollower {
  public enum Start: Sendable {
    /// Who has no place yet begins with what happens from now on.
    case now
    /// Who has no place yet begins with the first event that there is.
    case beginning
  }

  /// Everything that was missed has been handed over.
  public var onCaughtUp: () -> Void = {}
  /// The daemon does not answer as it should; the next event tries again.
  public var onTrouble: (DBusError) -> Void = { _ in }

  private static let pageSize: UInt32 = 250

  private let connection: DBusConnection
  private let handler: ([Record]) -> Void
  private var replay: EventReplay
  private var signals: SignalSubscription?
  private var presence: NameWatch?
  /// Counts the daemon's comings and goings, so that an answer of an earlier one is not taken for this one's.
  private var generation = 0

  init(_ connection: DBusConnection, from places: EventPlaces, orFrom start: Start, handler: @escaping ([Record]) -> Void) {
    self.connection = connection
    self.handler = handler
    replay = EventReplay(places: places, start: start)
    let rule = MatchRule(sender: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.manager, member: "RegionEvent")
    signals = connection.addMatch(rule) { [unowned self] signal in
      guard signal.signature == "tsoa{sv}", let event = Record(signal.arguments[3]) else { return }
      perform(replay.heard(event))
    }
    presence = connection.watchName(MonitorNames.bus) { [unowned self] owner in
      generation += 1
      if owner == nil { replay.daemonVanished() } else { perform(replay.daemonAppeared()) }
    }
  }

  /// Up to where events were handed over.
  public var places: EventPlaces { replay.places }

  private func perform(_ actions: [EventReplay.Action]) {
    for action in actions {
      switch action {
      case .askJournals: askJournals()
      case .askEvents(let place): askEvents(place)
      case .deliver(let events): handler(events)
      case .caughtUp: onCaughtUp()
      }
    }
  }

  private func askJournals() {
    call("org.freedesktop.DBus.Properties", "GetAll", [.string(MonitorNames.manager)]) { [unowned self] reply in
      switch reply {
      case .failure(let error): onTrouble(error)
      case .success(let values):
        let manager = values.first
        guard let journal = manager?["Journal"]?.string else {
          return onTrouble(.failed("beaconmond has no journal; it is of an earlier version, restart it"))
        }
        perform(
          replay.journalsAre(
            manager?["EarlierJournals"]?.strings ?? [], current: journal, lastSequence: manager?["LastSequence"]?.integer() ?? 0))
      }
    }
  }

  private func askEvents(_ place: EventPlace) {
    let arguments: [DBusValue] = [.string(place.journal), .uint64(place.sequence), .uint32(Self.pageSize)]
    call(MonitorNames.manager, "EventsSince", arguments) { [unowned self] reply in
      switch reply {
      case .success(let values): perform(replay.eventsAre((values.first?.elements ?? []).compactMap { Record($0) }))
      case .failure(let error) where error.name == MonitorNames.errorPrefix + MonitorNames.journalChanged:
        perform(replay.eventsAre(nil))
      case .failure(let error): onTrouble(error)
      }
    }
  }

  private func call(
    _ interface: String, _ member: String, _ arguments: [DBusValue], completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    let generation = generation
    connection.call(destination: MonitorNames.bus, path: MonitorNames.root, interface: interface, member: member, arguments) {
      [weak self] reply in
      guard let self, generation == self.generation else { return }
      completion(reply)
    }
  }
}
