import DBus
import EventLoop
import Events
import MonitorProtocol

/// The events of the config's regions from a place on: first those that were missed, then those that happen, each once and in order, over restarts
/// of the daemon and of the bus.
public final class EventFollower: EventFollowing {
  public enum Start: Sendable {
    /// Who has no place yet begins with what happens from now on.
    case now
    /// Who has no place yet begins with the first event that there is.
    case beginning
  }

  /// Everything that was missed has been handed over.
  public var onCaughtUp: () -> Void = {}
  /// The daemon does not answer as it should. It is asked again, and nothing more is said of it until it answers.
  public var onTrouble: (DBusError) -> Void = { _ in }

  private let journal: RemoteJournal
  let handler: ([Event]) -> Void
  private var replay: EventReplay
  private var signals: SignalSubscription?
  private var presence: NameWatch?
  /// Counts the daemon's comings and goings.
  private(set) var generation = 0
  private(set) lazy var retry = FollowerRetry(loop) { [unowned self] in begin() }
  private let loop: Loop

  init(_ connection: DBusConnection, from places: EventPlaces, orFrom start: Start, handler: @escaping ([Event]) -> Void) {
    loop = connection.loop
    journal = RemoteJournal(connection: connection)
    self.handler = handler
    replay = EventReplay(places: places, start: start)
    let rule = MatchRule(sender: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.manager, member: "RegionEvent")
    signals = connection.addMatch(rule) { [unowned self] signal in
      guard signal.signature == "tsoa{sv}", let event = Event(signal.arguments[3]) else { return }
      perform(replay.heard(event))
    }
    presence = connection.watchName(MonitorNames.bus) { [unowned self] owner in
      generation += 1
      retry.reset()
      if owner == nil { replay.daemonVanished() } else { begin() }
    }
  }

  private func begin() { perform(replay.daemonAppeared()) }

  /// Up to where events were handed over.
  public var places: EventPlaces { replay.places }

  func askJournals() {
    journal.names(
      current { [unowned self] names in
        perform(replay.journalsAre(names.earlier, current: names.current, lastSequence: names.lastSequence))
      })
  }

  func askEvents(_ place: EventPlace) {
    journal.events(after: place, completion: current { [unowned self] in perform(replay.eventsAre($0)) })
  }
}
