import Events

/// Merges missed and new events into one order, without a gap and without a repetition.
///
/// The replay requests missed events in pages until there are no more. The bus keeps the order of one sender's messages. Therefore
/// an event that arrived before the last page is in one of the pages, and the next event continues their sequence. Nothing has to
/// be buffered in the meantime.
struct EventReplay {
  enum Action: Hashable {
    /// Requests the journals and the last sequence.
    case askJournals
    /// Requests the events after this place.
    case askEvents(EventPlace)
    /// Delivers these events. A request for the next ones follows.
    case deliver([Event])
    /// All missed events have been delivered.
    case caughtUp
    /// The answer does not advance the place, so repeating the request would never end.
    case fail
  }

  private enum Phase: Hashable {
    case away
    case askingJournals
    case replaying(EventPlace)
    case live(EventPlace)
  }

  private(set) var places: EventPlaces
  private let start: EventFollower.Start
  private var phase = Phase.away
  /// The journals of the present daemon, oldest first, the one in use last.
  private var journals: [String] = []
  /// The last event that arrived out of sequence; it is also in the journal, unless the journal is full.
  private var outOfTurn: Event?

  init(places: EventPlaces, start: EventFollower.Start) {
    self.places = places
    self.start = start
  }

  mutating func daemonAppeared() -> [Action] {
    phase = .askingJournals
    return [.askJournals]
  }

  mutating func daemonVanished() {
    phase = .away
    outOfTurn = nil
  }

  /// - Parameters:
  ///   - current: the journal in use.
  ///   - lastSequence: the sequence of the last event in that journal.
  mutating func journalsAre(_ earlier: [String], current: String, lastSequence: UInt64) -> [Action] {
    guard phase == .askingJournals else { return [] }
    journals = earlier + [current]
    guard places.latest != nil else {
      let first = EventPlace(journal: start == .now ? current : journals[0], sequence: start == .now ? lastSequence : 0)
      if start == .now { places.note(first) }
      return ask(first)
    }
    // Starts at the oldest known journal: a file that was unreadable may be back with undelivered events. No event of an unknown journal
    // has been delivered.
    let known = journals.first { places[$0] != nil }.map { EventPlace(journal: $0, sequence: places[$0] ?? 0) }
    return (known ?? places.latest).map { ask($0) } ?? []
  }

  /// Handles the answer to `askEvents`.
  ///
  /// - Parameter events: the events; nil if the journal has no more events and is not in use.
  mutating func eventsAre(_ events: [Event]?) -> [Action] {
    guard case .replaying(let place) = phase else { return [] }
    guard let events else { return turn(from: place.journal) }
    guard !events.isEmpty else { return goLive(at: place) }
    guard let last = end(of: events, after: place) else {
      phase = .away
      return [.fail]
    }
    places.note(last)
    return [.deliver(events)] + ask(last)
  }

  /// Returns the place after a page; nil unless each event follows the one before.
  private func end(of events: [Event], after place: EventPlace) -> EventPlace? {
    var end = place
    for event in events {
      guard let next = event.place, next.journal == end.journal, next.sequence > end.sequence else { return nil }
      end = next
    }
    return end
  }

  /// Handles an event that arrived as a signal.
  mutating func heard(_ event: Event) -> [Action] {
    guard let heard = event.place else { return [] }
    // An event that arrives before the answer belongs after the start.
    if phase == .askingJournals, start == .now, places.latest == nil {
      places.note(EventPlace(journal: heard.journal, sequence: max(1, heard.sequence) - 1))
    }
    guard case .live(let place) = phase else { return [] }
    if heard.journal == place.journal && heard.sequence <= place.sequence { return [] }
    guard heard == EventPlace(journal: place.journal, sequence: place.sequence + 1) else {
      outOfTurn = event
      phase = .askingJournals
      return [.askJournals]
    }
    phase = .live(heard)
    places.note(heard)
    return [.deliver([event])]
  }

  private mutating func ask(_ place: EventPlace) -> [Action] {
    phase = .replaying(place)
    return [.askEvents(place)]
  }

  /// Continues with the next journal, or the one in use, after its last delivered event.
  private mutating func turn(from journal: String) -> [Action] {
    let next = journals.firstIndex(of: journal).map { $0 + 1 } ?? journals.endIndex - 1
    // A new journal has come into use.
    guard journals.indices.contains(next), journals[next] != journal else {
      phase = .askingJournals
      return [.askJournals]
    }
    return ask(EventPlace(journal: journals[next], sequence: places[journals[next]] ?? 0))
  }

  private mutating func goLive(at place: EventPlace) -> [Action] {
    phase = .live(place)
    guard let event = outOfTurn, let last = event.place else { return [.caughtUp] }
    outOfTurn = nil
    guard last.journal == place.journal, last.sequence > place.sequence else { return [.caughtUp] }
    phase = .live(last)
    places.note(last)
    return [.deliver([event]), .caughtUp]
  }
}
