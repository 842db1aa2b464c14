import Beacons
import Events
import Instants
import Proximity
import Ranging
import Regions

/// A reference of the rules of a region, second by second: slow, and only from the documents.
///
/// All times are whole seconds.
/// The reference has no distances, which have a reference of their own in Tests/IntegrationTests/Peers/reference.py.
struct ReferenceRegion {
  struct Definition: Equatable {
    var minor: UInt16?  // nil: every beacon
    var exitDelay = 5
    var learns = false
    var wantsStrong = false
    var entry: (sightings: Int, within: Int)?
    var dwell: Int?
    var assumed = RegionState.unknown

    static func == (a: Definition, b: Definition) -> Bool {
      a.minor == b.minor && a.exitDelay == b.exitDelay && a.learns == b.learns && a.wantsStrong == b.wantsStrong
        && a.entry?.sightings == b.entry?.sightings && a.entry?.within == b.entry?.within && a.dwell == b.dwell && a.assumed == b.assumed
    }
  }

  struct Event: Equatable {
    let time: Int
    let kind: Events.Event.Kind
    let state: RegionState
    let cause: Events.Event.Cause
  }

  private(set) var definition: Definition
  private(set) var state: RegionState
  private(set) var events: [Event] = []
  private var since: Int
  private var certain: RegionState?
  /// The seconds of silence with a hearing adapter; nil while no silence counts.
  private var silence: Int?
  private var longestGap = 0
  private var arrivals: [Int] = []
  /// The seconds of the visit; nil before it is certain.
  private var stayed: Int?
  private var hasToldOfStay = false
  // Adapters count in turns of half an exit delay: those of the present turn and of the previous one.
  private var turnEnd: Double
  private var turn: Set<Int> = []
  private var turnBefore: Set<Int> = []
  private var lostSince: Set<Int> = []

  init(_ definition: Definition, at time: Int, _ receptions: [Reception]) {
    self.definition = definition
    state = definition.assumed
    since = time
    turnEnd = Double(time)
    silence = isHopeless(receptions) ? nil : 0
  }

  private var exitDelay: Int {
    definition.learns ? min(8 * definition.exitDelay, max(definition.exitDelay, 3 * longestGap)) : definition.exitDelay
  }
  private var wasInside: Bool { (certain ?? definition.assumed) == .inside }
  private var isCertainlyOutside: Bool { state == .outside && certain == .outside }
  private var audience: Set<Int> { turn.union(turnBefore).isEmpty ? [0, 1] : turn.union(turnBefore) }
  private func hears(_ receptions: [Reception]) -> Bool { audience.contains { receptions[$0] == .hearing } }
  private func isHopeless(_ receptions: [Reception]) -> Bool { audience.allSatisfy { receptions[$0] == .lost } }

  /// Passes the second before `time`, in which the adapters had these receptions.
  mutating func pass(to time: Int, _ receptions: [Reception]) {
    if state == .inside, let stay = stayed { stayed = stay + 1 }
    expire(at: time - 1, receptions)
    if let counted = silence, hears(receptions) { silence = counted + 1 }
    expire(at: time, receptions)
  }

  private mutating func expire(at time: Int, _ receptions: [Reception]) {
    guard let counted = silence, counted >= exitDelay, hears(receptions) else { return }
    silence = nil
    if state == .outside { certain = .outside } else { change(to: .outside, at: time, .silence) }
  }

  mutating func hear(minor: UInt16, isStrong: Bool, by adapter: Int, at time: Int, _ receptions: [Reception]) {
    guard definition.minor == nil || definition.minor == minor, isStrong || !definition.wantsStrong else { return }
    if !wasInside, let entry = definition.entry {
      arrivals.append(time)
      guard arrivals.count(where: { time - $0 <= entry.within }) >= entry.sightings else { return }
    }
    let isRunning = hears(receptions)
    noteAdapter(adapter, at: time)
    if state == .inside && certain == .inside, isRunning, let counted = silence { longestGap = max(longestGap, counted) }
    silence = 0
    arrivals = []
    let wasInsideBefore = state == .inside
    if certain != .inside { (stayed, hasToldOfStay) = (0, false) }
    if state == .inside { certain = .inside } else { change(to: .inside, at: time, .sighting) }
    if wasInsideBefore, let dwell = definition.dwell, let stay = stayed, stay >= dwell, !hasToldOfStay {
      hasToldOfStay = true
      events.append(Event(time: time, kind: .dwell, state: .inside, cause: .stay))
    }
  }

  private mutating func noteAdapter(_ adapter: Int, at time: Int) {
    lostSince = []
    let length = Double(exitDelay) / 2
    if Double(time) >= turnEnd {
      let follows = Double(time) < turnEnd + length
      (turnBefore, turn) = (follows ? turn : [], [])
      turnEnd = (follows ? turnEnd : Double(time)) + length
    }
    turn.insert(adapter)
  }

  mutating func receive(_ next: [Reception], after previous: [Reception], at time: Int) {
    guard next != previous else { return }
    let lost = Set([0, 1].filter { previous[$0] != .lost && next[$0] == .lost })
    let news = lost.intersection(turn.union(turnBefore)).subtracting(lostSince)
    lostSince.formUnion(news)
    if isHopeless(next) {
      silence = nil
      if certain != nil, state != .unknown { change(to: .unknown, at: time, .receiverLost) }
    } else if !isCertainlyOutside {
      silence = news.isEmpty ? silence ?? 0 : 0
    }
  }

  mutating func redefine(_ next: Definition, at time: Int, _ receptions: [Reception]) {
    guard next != definition else { return }
    if next.minor != definition.minor {
      let (past, before) = (events, certain)
      self = ReferenceRegion(next, at: time, receptions)
      events = past
      remember(before)
      hasToldOfStay = true
      return
    }
    if next.dwell == nil || definition.dwell == nil {
      hasToldOfStay = false
      if certain == .inside { stayed = state == .inside ? time - since : 0 }
    }
    definition = next
    arrivals = []
    silence = silence.map { min($0, exitDelay) }  // an overdue exit is due now
    if certain == nil, state != next.assumed { (state, since) = (next.assumed, time) }
  }

  mutating func restart(after outage: Int, at time: Int, _ receptions: [Reception]) {
    let old = self
    self = ReferenceRegion(definition, at: time, receptions)
    (events, longestGap, hasToldOfStay) = (old.events, old.longestGap, old.hasToldOfStay)
    remember(old.certain)
    if old.certain == .inside { stayed = old.stayed }
    if outage > 900, old.certain == .inside {
      silence = nil
      change(to: .outside, at: time, .outage)
    }
  }

  private mutating func remember(_ before: RegionState?) {
    guard let before else { return }
    (certain, state) = (before, .unknown)
  }

  private mutating func change(to next: RegionState, at time: Int, _ cause: Events.Event.Cause) {
    let kind: Events.Event.Kind =
      next == .inside && !wasInside ? .enter : next == .outside && wasInside ? .exit : .state
    (state, since) = (next, time)
    if next != .unknown { certain = next }
    if next == .outside {
      (silence, stayed) = (nil, nil)
      (turn, turnBefore, turnEnd, lostSince) = ([], [], Double(time), [])
    }
    events.append(Event(time: time, kind: kind, state: next, cause: cause))
  }
}
