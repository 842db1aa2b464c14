import DBus
import Instants
import RadioHealth
import Ranging

/// Decides the next request to BlueZ, so that one adapter meets its demand through all failures.
///
/// For presence the monitor alone is enough: the controller scans passively, which disturbs no other radio traffic, and BlueZ signals
/// every report but not its RSSI. Strength takes a discovery.
///
/// The plan compares the demand with the adapter's state and returns one step at a time; the next step comes after the answer to the
/// last. The monitor must exist before discovery begins. Without it, the kernel lets the controller drop duplicates, and a strict
/// controller then reports each beacon once in a scan period of 10 s. The plan sends the filter before each start: BlueZ reports every
/// RSSI only with it.
struct DiscoveryPlan {
  enum Step: Equatable, Sendable {
    case registerMonitor, unregisterMonitor
    case setFilter, startDiscovery, stopDiscovery
    case powerOff, powerOn
  }

  enum Monitor: Equatable {
    case untried
    case registered
    /// The adapter refused a monitor; discovery works without it.
    case refused(DBusError)
  }

  /// The length of a pause in which a bonded device can reconnect.
  /// It is as long as a person waits for a mouse, and as long as the mouse advertises.
  static let restInterval = Span.seconds(30)
  static let restLength = Span.seconds(3)
  /// A discovery of at least this length does not count as a failed attempt.
  static let soundLength = Span.seconds(30)
  /// The time for which the plan releases everything, so that an advertisement of this machine can begin.
  static let yieldLength = Span.seconds(3)
  /// Attempts to register the monitor before discovery continues without it.
  static let monitorAttempts = 3

  /// The facts about the adapter; nil while the adapter is gone.
  private(set) var facts: AdapterFacts?
  var demand = HearingDemand.nothing {
    didSet { demandChanged(from: oldValue) }
  }
  /// Whether a bonded LE device is away and may be trying to reconnect.
  var restsForDevices = false
  var monitor = Monitor.untried
  /// The last error, until discovery runs.
  var trouble: DBusError? {
    didSet { if trouble?.isBlueZ("InProgress") != true { busySince = nil } }
  }
  /// The time since which every scan was refused because another one is in progress; nil while none is.
  var busySince: Instant?
  var startedAt: Instant?

  var pending: Step?
  var powerCycle: Step?
  var isFiltered = false
  var mustStopFirst = false
  var mustRegisterAnew = false
  /// Whether a registration of the monitor is unanswered.
  var mayBeRegistered = false
  /// Whether the monitor still reports presence until the discovery has begun.
  var listensMeanwhile = false
  var monitorFailures = 0
  var notBefore: Instant?
  private var restsUntil: Instant?
  private var yieldsUntil: Instant?
  var backoff = Backoff(from: .milliseconds(500), to: .seconds(4))
  var busyBackoff = Backoff(from: .milliseconds(500), to: .seconds(1))

  var isWanted: Bool { demand != .nothing }
  var isDiscovering: Bool { startedAt != nil }
  /// Whether beacons in range are received.
  var isHearing: Bool { isDiscovering || isListening }
  /// Whether the monitor, and not a discovery, reports beacons.
  var isListening: Bool { !isDiscovering && (monitorSuffices || listensMeanwhile) }

  private var monitorSuffices: Bool { demand == .presence && isMonitorTelling }
  private var isMonitorTelling: Bool { monitor == .registered && facts?.offloadsMonitors == false }

  var state: AdapterHealth.State {
    guard let facts else { return .gone }
    if powerCycle != nil { return .paused }
    if facts.isBlocked { return .blocked }
    if !facts.isPowered { return .off }
    return isHearing ? .scanning : isWanted ? .paused : .idle
  }

  // MARK: - Steps

  /// Returns the next step; call after every input and at `deadline`. A step that is returned counts as requested.
  mutating func nextStep(at now: Instant) -> Step? {
    guard pending == nil, let facts else { return nil }
    if let until = yieldsUntil, now >= until { yieldsUntil = nil }
    if let due = notBefore {
      guard now >= due else { return nil }
      notBefore = nil
    }
    updateRest(at: now)
    pending = step(facts)
    return pending
  }

  /// The time to ask again even if nothing happens.
  var deadline: Instant {
    guard pending == nil, facts != nil else { return .never }
    let nextRest = restsForDevices ? startedAt.map { $0 + Self.restInterval } : nil
    return min(yieldsUntil ?? .never, notBefore ?? restsUntil ?? nextRest ?? .never)
  }

  private func step(_ facts: AdapterFacts) -> Step? {
    if let powerCycle, !facts.isBlocked { return powerCycle }
    guard facts.isPowered, !facts.isBlocked else { return nil }
    guard isWanted, yieldsUntil == nil else {
      if isDiscovering || mustStopFirst { return .stopDiscovery }
      return monitor == .registered || mayBeRegistered ? .unregisterMonitor : nil
    }
    if mustStopFirst { return .stopDiscovery }
    if mustRegisterAnew { return .unregisterMonitor }
    if monitorSuffices { return isDiscovering ? .stopDiscovery : nil }
    if restsUntil != nil { return isDiscovering ? .stopDiscovery : nil }
    if monitor == .untried, facts.hasMonitors { return isDiscovering ? .stopDiscovery : .registerMonitor }
    if isDiscovering { return nil }
    return isFiltered ? .startDiscovery : .setFilter
  }

  private mutating func updateRest(at now: Instant) {
    if let until = restsUntil {
      if now >= until || !restsForDevices { restsUntil = nil }
    } else if restsForDevices, let startedAt, now >= startedAt + Self.restInterval {
      restsUntil = now + Self.restLength
    }
  }
}

// MARK: - Inputs

extension DiscoveryPlan {
  /// Takes the facts from BlueZ; nil when the adapter is gone, and with it all requests to it.
  mutating func update(_ new: AdapterFacts?, at now: Instant, using random: inout some RandomNumberGenerator) {
    let old = facts
    facts = new
    guard let new else { return forget() }
    guard let old else { return }
    if new.isPowered, !new.isBlocked, !old.isPowered || old.isBlocked {
      notBefore = nil
      backoff.reset()
    } else if !new.isPowered {
      ended()
      trouble = nil
    } else if old.isDiscovering, !new.isDiscovering, isDiscovering, pending != .stopDiscovery {
      // No other program can end this discovery session. The kernel can, and so does a controller that is reset under BlueZ.
      retry(at: now, using: &random)
    }
  }

  /// Notes that BlueZ has released the monitor: it could not activate it, or another program removed it.
  /// BlueZ also reports this after the plan unregisters the monitor.
  mutating func monitorReleased() {
    guard isWanted, pending != .unregisterMonitor else { return }
    monitor = .refused(.failed("BlueZ released the monitor"))
  }

  /// Releases everything for a moment, as if nothing were demanded; see `yieldLength`.
  mutating func yield(at now: Instant) {
    yieldsUntil = now + Self.yieldLength
  }

  /// Restarts the scan.
  mutating func restart() {
    if isDiscovering { mustStopFirst = true } else if monitorSuffices { mustRegisterAnew = true }
  }

  /// Switches the adapter off and on again.
  mutating func cyclePower() {
    if powerCycle == nil { powerCycle = .powerOff }
  }

  private mutating func demandChanged(from old: HearingDemand) {
    listensMeanwhile = old == .presence && demand == .strength && isMonitorTelling
    guard isWanted, old == .nothing else { return }
    monitorFailures = 0
    if case .refused = monitor { monitor = .untried }
  }

  /// Drops all state except the duty to switch the adapter on again after the plan switched it off.
  private mutating func forget() {
    ended()
    pending = nil
    unregistered()
    monitorFailures = 0
    trouble = nil
    notBefore = nil
    restsUntil = nil
    yieldsUntil = nil
    backoff.reset()
    if powerCycle == .powerOff { powerCycle = nil }
  }
}
