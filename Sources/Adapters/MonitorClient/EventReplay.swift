import Events

/// Brings the events that were missed and those that come into one row, without a gap and without a repetition.
///
/// What was missed is asked for in pages until there is no more. The bus keeps the order of what one sender sends: an event that came before the last page
/// is in one of them, and the next one after it follows it in number. So nothing has to be kept meanwhile.
struct EventReplay {
  enum Action: Hashable {
    /// Ask for the journals and the last number.
    case askJournals
    /// Ask for the events after this place.
    case askEvents(EventPlace)
    /// Hand these over. Those that follow are asked for afterwards.
    case deliver([Event])
    /// Everything that was missed has been handed over.
    case caughtUp
    /// The answer does not lead on: asking again from there would never end.
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
  /// Of the daemon that is there: oldest first, the one in use last.
  private var journals: [String] = []
  /// The event that came and did not follow the one before; it is in the journal, unless that has no room.
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
  ///   - lastSequence: of its last event.
  mutating func journalsAre(_ earlier: [String], current: String, lastSequence: UInt64) -> [Action] {
    guard phase == .askingJournals else { return [] }
    journals = earlier + [current]
    guard places.latest != nil else {
      let first = EventPlace(journal: start == .now ? current : journals[0], sequence: start == .now ? lastSequence : 0)
      if start == .now { places.note(first) }
      return ask(first)
    }
    // The first of those that it knows: a file that could not be read may be back with events that it has not handed over. Of one that it does not know
    // it has handed over none.
    let known = journals.first { places[$0] != nil }.map { EventPlace(journal: $0, sequence: places[$0] ?? 0) }
    return (known ?? places.latest).map { ask($0) } ?? []
  }

  /// The answer to `askEvents`; nil when that journal has no more events and is not the one in use.
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

  /// Where a page ends; nil unless each event in it comes after the one before.
  private func end(of events: [Event], after place: EventPlace) -> EventPlace? {
    var end = place
    for event in events {
      guard let next = event.place, next.journal == end.journal, next.sequence > end.sequence else { return nil }
      end = next
    }
    return end
  }

  /// An event came as a signal.
  mutating func heard(_ event: Event) -> [Action] {
    guard let heard = event.place else { return [] }
    // What comes before the answer is after the beginning.
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

  /// The journal after this one, or the one in use, goes on where it was left.
  private mutating func turn(from journal: String) -> [Action] {
    let next = journals.firstIndex(of: journal).map { $0 + 1 } ?? journals.endIndex - 1
    // The one in use is another one by now.
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
