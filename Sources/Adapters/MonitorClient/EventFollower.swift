import DBus
import EventLoop
import Events
import MonitorProtocol

/// The events of the configured regions after a place, in order and without repetition.
///
/// The follower first delivers the missed events, and then new ones. It continues across restarts of the daemon and of the bus.
public final class EventFollower: EventFollowing {
  public enum Start: Sendable {
    /// A follower without a place begins with the next event.
    case now
    /// A follower without a place begins with the oldest event of the journals.
    case beginning
  }

  /// Called when all missed events have been delivered.
  public var onCaughtUp: () -> Void = {}
  /// Called when the daemon fails to answer. The follower retries, and stays silent until the daemon answers.
  public var onTrouble: (DBusError) -> Void = { _ in }

  private let journal: RemoteJournal
  let handler: ([Event]) -> Void
  private var replay: EventReplay
  private var signals: SignalSubscription?
  private var presence: NameWatch?
  /// The number of appearances and disappearances of the daemon.
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

  /// The places after the last delivered events.
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
