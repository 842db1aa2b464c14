import DBus
import EventLoop
import Events
import Instants
import MonitorProtocol
import Scheduling

/// The events of a source after a place, in order and without repetition.
///
/// The follower first delivers the missed events, and then new ones. It continues across restarts of the daemon and of the bus. It
/// repeats a request until there is an answer, because a replay that waits for an answer delivers no events.
public final class EventFollower {
  public enum Start: Sendable {
    /// A follower without a place begins with the next event.
    case now
    /// A follower without a place begins with the oldest event of the journals.
    case beginning
  }

  /// Runs when all missed events have been delivered.
  public var onCaughtUp: () -> Void = {}
  /// Runs when the daemon fails to answer. The follower retries, and stays silent until the daemon answers.
  public var onTrouble: (DBusError) -> Void = { _ in }

  /// Runs when it is known whether the user consents to the events of registered regions, and at each change.
  ///
  /// Without consent, the daemon reports none of these events, not even the end of a visit.
  public var onConsentChange: (_ isGiven: Bool) -> Void = { _ in }

  private let source: any FollowedSource
  private let handler: ([Event]) -> Void
  private var replay: EventReplay
  private var presence: NameWatch?
  private let answers = StaleAnswerFilter()
  private var isOpen = false
  private var backoff = Backoff.ofDaemon
  private var retry: Timer?
  /// True from the first failure until the next answer.
  private var isInTrouble = false

  init(
    _ connection: DBusConnection, _ source: any FollowedSource, from places: EventPlaces, orFrom start: Start,
    handler: @escaping ([Event]) -> Void
  ) {
    self.source = source
    self.handler = handler
    replay = EventReplay(places: places, start: start)
    retry = connection.loop.timer { [unowned self] in isOpen ? begin() : open() }
    source.onChange = { [unowned self] in take($0) }
    presence = connection.watchName(MonitorNames.bus) { [unowned self] in ownerChanged($0) }
  }

  /// The places after the last delivered events.
  public var places: EventPlaces { replay.places }

  private func ownerChanged(_ owner: String?) {
    source.close()
    endTrouble()
    if owner != nil {
      open()
    } else {
      isOpen = false
      answers.renew()
      replay.daemonVanished()
    }
  }

  private func open() {
    isOpen = false
    answers.renew()
    source.open(
      current { [unowned self] in
        isOpen = true
        begin()
      })
  }

  /// Restarts the replay. Pending answers are ignored, because they would deliver their events a second time.
  private func begin() {
    answers.renew()
    perform(replay.daemonAppeared())
  }

  private func take(_ change: FollowedChange) {
    switch change {
    case .event(let event): perform(replay.heard(event))
    case .renewed: begin()
    case .consent(let isGiven): onConsentChange(isGiven)
    case .closed:
      retry?.disarm()
      replay.daemonVanished()
      open()
    }
  }

  private func perform(_ actions: [EventReplay.Action]) {
    // A handler may release this follower.
    defer { withExtendedLifetime(self) {} }
    for action in actions {
      switch action {
      case .askJournals:
        retry?.disarm()
        source.askJournals(
          current { [unowned self] names in
            guard let names else { return catchUp() }
            perform(replay.journalsAre(names.earlier, current: names.current, lastSequence: names.lastSequence))
          })
      case .askEvents(let place):
        retry?.disarm()
        source.askEvents(
          after: place,
          current { [unowned self] page in
            switch page {
            case .events(let events): perform(replay.eventsAre(events))
            case .end: perform(replay.eventsAre(nil))
            case .withheld: catchUp()
            }
          })
      case .deliver(let events): handler(events)
      case .caughtUp: catchUp()
      case .fail: fail(.failed("beaconmond's answer does not continue from the requested event; see its log"))
      }
    }
  }

  private func catchUp() {
    endTrouble()
    onCaughtUp()
  }

  private func endTrouble() {
    isInTrouble = false
    retry?.disarm()
    backoff.reset()
  }

  /// Reports the first error of a failure, and retries later.
  private func fail(_ error: DBusError) {
    let isNew = !isInTrouble
    isInTrouble = true
    retry?.arm(after: &backoff)
    if isNew { onTrouble(error) }
  }

  /// Returns a completion that ignores stale answers and handles errors.
  private func current<Answer>(_ take: @escaping (Answer) -> Void) -> (Result<Answer, DBusError>) -> Void {
    answers.current { [unowned self] answer in
      switch answer {
      case .success(let answer): take(answer)
      case .failure(let error): fail(error)
      }
    }
  }
}
