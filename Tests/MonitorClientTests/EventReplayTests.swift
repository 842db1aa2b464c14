import Events
import Records
import TestSupport
import Testing

@testable import MonitorClient

@Suite struct EventReplayTests {
  private func event(_ journal: String, _ sequence: UInt64) -> Event {
    Event.of(["sequence": .count(sequence), "journal": .text(journal)])
  }

  private func events(_ journal: String, _ sequences: ClosedRange<UInt64>) -> [Event] { sequences.map { event(journal, $0) } }

  private func damage(_ journal: String, _ sequences: ClosedRange<UInt64>) -> Event {
    var event = Event.damaged(sequences, .missing)
    event.journal = journal
    return event
  }

  private func place(_ journal: String, _ sequence: UInt64) -> EventPlace { EventPlace(journal: journal, sequence: sequence) }

  /// Returns a replay that has handled journal A up to event 3 and is live.
  private func live() -> EventReplay {
    var replay = EventReplay(places: EventPlaces([place("A", 3)]), start: .now)
    _ = replay.daemonAppeared()
    _ = replay.journalsAre([], current: "A", lastSequence: 3)
    _ = replay.eventsAre([])
    return replay
  }

  @Test func `a follower with a place receives missed events in pages, and is then caught up`() {
    var replay = EventReplay(places: EventPlaces([place("A", 3)]), start: .now)
    #expect(replay.daemonAppeared() == [.askJournals])
    #expect(replay.journalsAre([], current: "A", lastSequence: 9) == [.askEvents(place("A", 3))])
    #expect(replay.eventsAre(events("A", 4...6)) == [.deliver(events("A", 4...6)), .askEvents(place("A", 6))])
    #expect(replay.eventsAre(events("A", 7...9)) == [.deliver(events("A", 7...9)), .askEvents(place("A", 9))])
    #expect(replay.eventsAre([]) == [.caughtUp])
    #expect(replay.heard(event("A", 10)) == [.deliver([event("A", 10)])])
    #expect(replay.places.latest == place("A", 10))
  }

  @Test func `a follower without a place starts now or with the first event`() {
    var now = EventReplay(places: EventPlaces(), start: .now)
    _ = now.daemonAppeared()
    #expect(now.journalsAre(["A"], current: "B", lastSequence: 9) == [.askEvents(place("B", 9))])
    var beginning = EventReplay(places: EventPlaces(), start: .beginning)
    _ = beginning.daemonAppeared()
    #expect(beginning.journalsAre(["A"], current: "B", lastSequence: 9) == [.askEvents(place("A", 0))])
  }

  @Test func `an event that arrives while the start is looked up is not missed`() {
    var replay = EventReplay(places: EventPlaces(), start: .now)
    _ = replay.daemonAppeared()
    #expect(replay.heard(event("A", 5)) == [])
    #expect(replay.heard(event("A", 6)) == [])
    #expect(replay.journalsAre([], current: "A", lastSequence: 6) == [.askEvents(place("A", 4))])
  }

  @Test func `an event that arrives during the replay is delivered once`() {
    var replay = EventReplay(places: EventPlaces([place("A", 3)]), start: .now)
    _ = replay.daemonAppeared()
    _ = replay.journalsAre([], current: "A", lastSequence: 4)
    #expect(replay.heard(event("A", 5)) == [])
    #expect(replay.eventsAre(events("A", 4...5)) == [.deliver(events("A", 4...5)), .askEvents(place("A", 5))])
    #expect(replay.eventsAre([]) == [.caughtUp])
    #expect(replay.heard(event("A", 5)) == [])
    #expect(replay.heard(event("A", 6)) == [.deliver([event("A", 6)])])
  }

  @Test func `a page that does not advance ends the replay and is dropped`() {
    let pages = [
      [event("A", 4), event("A", 1)], [event("A", 3)], [event("A", 4), event("A", 4)], [event("B", 9)], [Event.of(["sequence": .count(4)])],
    ]
    for page in pages {
      var replay = EventReplay(places: EventPlaces([place("A", 3)]), start: .now)
      _ = replay.daemonAppeared()
      _ = replay.journalsAre([], current: "A", lastSequence: 9)
      #expect(replay.eventsAre(page) == [.fail])
      #expect(replay.places.latest == place("A", 3) && replay.heard(event("A", 4)) == [])
      // The replay starts again on request.
      #expect(replay.daemonAppeared() == [.askJournals])
    }
  }

  @Test func `a placeholder for damaged events advances like an event`() {
    var replay = EventReplay(places: EventPlaces([place("A", 3)]), start: .now)
    _ = replay.daemonAppeared()
    _ = replay.journalsAre([], current: "A", lastSequence: 9)
    let page = [event("A", 4), damage("A", 5...8), event("A", 9)]
    #expect(replay.eventsAre(page) == [.deliver(page), .askEvents(place("A", 9))])
  }

  @Test func `a range of damaged events larger than a page advances past its last event`() {
    var replay = EventReplay(places: EventPlaces([place("A", 3)]), start: .now)
    _ = replay.daemonAppeared()
    _ = replay.journalsAre([], current: "A", lastSequence: 9_000_000_001)
    let damage = damage("A", 4...9_000_000_000)
    #expect(replay.eventsAre([damage]) == [.deliver([damage]), .askEvents(place("A", 9_000_000_000))])
    let last = event("A", 9_000_000_001)
    #expect(replay.eventsAre([last]) == [.deliver([last]), .askEvents(place("A", 9_000_000_001))])
    #expect(replay.eventsAre([]) == [.caughtUp])
    #expect(replay.heard(event("A", 9_000_000_002)) == [.deliver([event("A", 9_000_000_002)])])
  }

  @Test func `a journal that ends with damaged events goes live after them`() {
    var replay = EventReplay(places: EventPlaces([place("A", 3)]), start: .now)
    _ = replay.daemonAppeared()
    _ = replay.journalsAre([], current: "A", lastSequence: 7)
    let page = [event("A", 4), damage("A", 5...7)]
    #expect(replay.eventsAre(page) == [.deliver(page), .askEvents(place("A", 7))])
    #expect(replay.eventsAre([]) == [.caughtUp])
    #expect(replay.places.latest == place("A", 7))
    #expect(replay.heard(event("A", 8)) == [.deliver([event("A", 8)])])
  }

  @Test func `damaged events that do not advance end the replay, as events do`() {
    for page in [
      [damage("A", 1...3)], [damage("A", 4...6), event("A", 6)], [damage("B", 4...6)], [damage("A", 5...9), damage("A", 5...9)],
    ] {
      var replay = EventReplay(places: EventPlaces([place("A", 3)]), start: .now)
      _ = replay.daemonAppeared()
      _ = replay.journalsAre([], current: "A", lastSequence: 9)
      #expect(replay.eventsAre(page) == [.fail])
      #expect(replay.places.latest == place("A", 3))
    }
  }

  @Test func `a lost signal is fetched`() {
    var replay = live()
    #expect(replay.heard(event("A", 6)) == [.askJournals])
    #expect(replay.journalsAre([], current: "A", lastSequence: 6) == [.askEvents(place("A", 3))])
    #expect(replay.eventsAre(events("A", 4...6)) == [.deliver(events("A", 4...6)), .askEvents(place("A", 6))])
    #expect(replay.eventsAre([]) == [.caughtUp])
  }

  @Test func `an event outside every journal is delivered`() {
    var replay = live()
    #expect(replay.heard(event("B", 4)) == [.askJournals])
    #expect(replay.journalsAre(["A"], current: "B", lastSequence: 4) == [.askEvents(place("A", 3))])
    #expect(replay.eventsAre(nil) == [.askEvents(place("B", 0))])
    #expect(replay.eventsAre([]) == [.deliver([event("B", 4)]), .caughtUp])
    #expect(replay.heard(event("B", 5)) == [.deliver([event("B", 5)])])
  }

  @Test func `another journal starts after the rest of the old one, and events between them are included`() {
    var replay = EventReplay(places: EventPlaces([place("A", 3)]), start: .now)
    _ = replay.daemonAppeared()
    #expect(replay.journalsAre(["0", "A", "B"], current: "C", lastSequence: 8) == [.askEvents(place("A", 3))])
    #expect(replay.eventsAre(events("A", 4...4)) == [.deliver(events("A", 4...4)), .askEvents(place("A", 4))])
    #expect(replay.eventsAre(nil) == [.askEvents(place("B", 0))])
    #expect(replay.eventsAre(nil) == [.askEvents(place("C", 0))])
    #expect(replay.eventsAre(events("C", 7...8)) == [.deliver(events("C", 7...8)), .askEvents(place("C", 8))])
  }

  @Test func `a journal that the daemon returns to continues at its place`() {
    var replay = EventReplay(places: EventPlaces([place("A", 3), place("M", 7)]), start: .now)
    _ = replay.daemonAppeared()
    #expect(replay.journalsAre([], current: "A", lastSequence: 5) == [.askEvents(place("A", 3))])
  }

  @Test func `a journal that was skipped as unreadable is read when it returns, and no event of it twice`() {
    var replay = EventReplay(places: EventPlaces([place("A", 3)]), start: .now)
    _ = replay.daemonAppeared()
    _ = replay.journalsAre([], current: "B", lastSequence: 2)
    #expect(replay.eventsAre(nil) == [.askEvents(place("B", 0))])
    _ = replay.eventsAre(events("B", 1...2))
    #expect(replay.eventsAre([]) == [.caughtUp])
    for missed in [4...6, nil] as [ClosedRange<UInt64>?] {
      _ = replay.daemonAppeared()
      #expect(replay.journalsAre(["0", "A"], current: "B", lastSequence: 2) == [.askEvents(place("A", missed == nil ? 6 : 3))])
      if let missed { #expect(replay.eventsAre(events("A", missed)) == [.deliver(events("A", missed)), .askEvents(place("A", 6))]) }
      #expect(replay.eventsAre(nil) == [.askEvents(place("B", 2))])
      #expect(replay.eventsAre([]) == [.caughtUp])
    }
  }

  @Test func `a journal that changes during the replay is looked up again`() {
    var replay = EventReplay(places: EventPlaces([place("A", 3)]), start: .now)
    _ = replay.daemonAppeared()
    _ = replay.journalsAre([], current: "A", lastSequence: 3)
    #expect(replay.eventsAre(nil) == [.askJournals])
    #expect(replay.journalsAre([], current: "B", lastSequence: 1) == [.askEvents(place("A", 3))])
    #expect(replay.eventsAre(nil) == [.askEvents(place("B", 0))])
  }

  @Test func `answers of a daemon that is gone are ignored, and the next one continues from the same place`() {
    var replay = live()
    _ = replay.heard(event("A", 4))
    replay.daemonVanished()
    #expect(replay.heard(event("A", 5)) == [])
    #expect(replay.eventsAre(events("A", 5...5)) == [])
    _ = replay.daemonAppeared()
    #expect(replay.journalsAre([], current: "A", lastSequence: 5) == [.askEvents(place("A", 4))])
  }

  /// A daemon that trims, fails, restarts and sends signals that are sometimes lost.
  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `every stored event is delivered once and in order, in any history`(seed: UInt64) throws {
    print("replay seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var replay = EventReplay(places: EventPlaces([place("J0", 0)]), start: .now)
    var journals: [(name: String, last: UInt64)] = [("J0", 0)]
    var delivered: [EventPlace] = []
    var pending: [EventReplay.Action] = replay.daemonAppeared()
    func settle(answering isAnswered: (EventReplay.Action) -> Bool = { _ in true }) {
      while !pending.isEmpty {
        let action = pending.removeFirst()
        switch action {
        case .askJournals where !isAnswered(action), .askEvents where !isAnswered(action): break
        case .askJournals:
          pending += replay.journalsAre(
            journals.dropLast().map(\.name), current: journals[journals.count - 1].name, lastSequence: journals[journals.count - 1].last)
        case .askEvents(let place):
          let known = journals.first { $0.name == place.journal }
          let page =
            known.map { place.sequence < $0.last ? events($0.name, place.sequence + 1...min($0.last, place.sequence + 3)) : [] } ?? []
          pending += replay.eventsAre(page.isEmpty && place.journal != journals[journals.count - 1].name ? nil : page)
        case .deliver(let events): delivered += events.compactMap(\.place)
        case .caughtUp: break
        case .fail: Issue.record("a page that does not lead on, seed \(seed)")
        }
      }
    }
    for _ in 0..<2000 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        // The pending calls get no answer any more.
        settle { _ in false }
        replay.daemonVanished()
        pending = replay.daemonAppeared()
      case 1: journals.append(("J\(journals.count)", 0))
      case 2, 3: settle()
      default:
        journals[journals.count - 1].last += 1
        let (name, last) = journals[journals.count - 1]
        if Int.random(in: 0..<5, using: &random) > 0 { pending += replay.heard(event(name, last)) }
      }
    }
    settle()
    replay.daemonVanished()
    pending = replay.daemonAppeared()
    settle()
    let sent = journals.flatMap { journal in journal.last == 0 ? [] : (1...journal.last).map { place(journal.name, $0) } }
    #expect(delivered == sent, "seed \(seed)")
  }
}
