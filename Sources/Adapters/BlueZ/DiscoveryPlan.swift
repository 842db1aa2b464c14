import DBus
import Instants
import Radios
import Ranging

/// Decides what to ask of BlueZ next, so that one adapter hears for as long as it is wanted to, whatever happens in between.
///
/// Where presence is enough the monitor alone is: the controller scans passively, which disturbs nobody, and BlueZ tells of every report but
/// not its RSSI. Strength takes a discovery.
///
/// It compares what is wanted with what is, and gives one step at a time: the next one comes when the last one is answered. Without the
/// monitor, which must be there before discovery begins, the kernel lets the controller drop duplicates, and a strict controller then reports
/// each beacon once in a scan period of 10 s. The filter is sent before each start: BlueZ reports every RSSI only with it.
struct DiscoveryPlan {
  enum Step: Equatable, Sendable {
    case registerMonitor, unregisterMonitor
    case setFilter, startDiscovery, stopDiscovery
    case powerOff, powerOn
  }

  enum Monitor: Equatable {
    case untried
    case registered
    /// Discovery does without it.
    case refused(DBusError)
  }

  /// A pause in which a bonded device can come back, as often as a person waits for a mouse, and as long as its advertising lasts.
  static let restInterval = Span.seconds(30)
  static let restLength = Span.seconds(3)
  /// A discovery that lasted so long was no failed attempt.
  static let soundLength = Span.seconds(30)
  /// Gives everything back for so long, so that an advertisement of this machine can begin.
  static let yieldLength = Span.seconds(3)
  /// Attempts at the monitor before discovery goes on without it.
  static let monitorAttempts = 3

  /// Nil while the adapter is gone.
  private(set) var facts: AdapterFacts?
  var demand = HearingDemand.nothing {
    didSet { demandChanged(from: oldValue) }
  }
  /// A bonded LE device is away and may be trying to come back.
  var restsForDevices = false
  private(set) var monitor = Monitor.untried
  /// What went wrong last, until discovery runs.
  private(set) var trouble: DBusError?
  private(set) var startedAt: Instant?

  private var pending: Step?
  private var powerCycle: Step?
  private var isFiltered = false
  private var mustStopFirst = false
  private var mustRegisterAnew = false
  /// BlueZ has not answered whether it took the monitor.
  private var mayBeRegistered = false
  /// The monitor goes on telling of presence until the discovery has begun.
  private var listensMeanwhile = false
  private var monitorFailures = 0
  private var notBefore: Instant?
  private var restsUntil: Instant?
  private var yieldsUntil: Instant?
  private var backoff = Backoff(from: .milliseconds(500), to: .seconds(4))
  private var busyBackoff = Backoff(from: .milliseconds(500), to: .seconds(1))

  var isWanted: Bool { demand != .nothing }
  var isDiscovering: Bool { startedAt != nil }
  /// Whoever is there is heard.
  var isHearing: Bool { isDiscovering || isListening }
  /// By what the monitor tells, and not by a discovery.
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

  // MARK: - What to do

  /// To be asked after every input and at `deadline`. A step counts as asked for once it is returned.
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

  /// When to ask again though nothing happens.
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

// MARK: - What happened

extension DiscoveryPlan {
  /// What BlueZ says now; nil when the adapter is gone, and everything that was asked of it with it.
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
      // Nobody else can end our session, but a controller that is reset under BlueZ does, or the kernel.
      retry(at: now, using: &random)
    }
  }

  /// BlueZ has let go of the monitor: it could not activate it, or somebody removed it. It also says so after we unregister it.
  mutating func monitorReleased() {
    guard isWanted, pending != .unregisterMonitor else { return }
    monitor = .refused(.failed("BlueZ released the monitor"))
  }

  /// Does for a moment as if nothing were wanted; see `yieldLength`.
  mutating func yield(at now: Instant) {
    yieldsUntil = now + Self.yieldLength
  }

  /// Begins the scan anew.
  mutating func restart() {
    if isDiscovering { mustStopFirst = true } else if monitorSuffices { mustRegisterAnew = true }
  }

  /// Switches the adapter off and on again.
  mutating func cyclePower() {
    if powerCycle == nil { powerCycle = .powerOff }
  }

  /// Nil for success.
  mutating func answered(_ error: DBusError?, at now: Instant, using random: inout some RandomNumberGenerator) {
    guard let step = pending else { return }
    pending = nil
    if let error {
      failed(step, error, at: now, using: &random)
    } else {
      succeeded(step, at: now)
    }
  }

  private mutating func succeeded(_ step: Step, at now: Instant) {
    switch step {
    // Released already?
    case .registerMonitor:
      monitorFailures = 0
      if monitor == .untried { monitor = .registered }
    case .unregisterMonitor: unregistered()
    case .setFilter: isFiltered = true
    case .startDiscovery:
      startedAt = now
      listensMeanwhile = false
      trouble = nil
    case .stopDiscovery: ended()
    case .powerOff:
      powerCycle = .powerOn
      ended()
    case .powerOn: powerCycle = nil
    }
  }

  private mutating func failed(_ step: Step, _ error: DBusError, at now: Instant, using random: inout some RandomNumberGenerator) {
    switch step {
    case .registerMonitor:
      monitorFailures += 1
      mayBeRegistered = error.isStandard("NoReply")
      if error.isBlueZ("AlreadyExists") {
        monitorFailures = 0
        monitor = .registered
      } else if error.isLasting || monitorFailures >= Self.monitorAttempts {
        monitor = .refused(error)
      } else {
        retry(at: now, using: &random)
      }
    case .unregisterMonitor: unregistered()
    case .startDiscovery where error.isBlueZ("InProgress"):
      trouble = error
      ended()
      // A session of ours may still be there. Or bluetoothd was restarted, and the kernel goes on with its last scan for 10 s.
      mustStopFirst = true
      notBefore = now + busyBackoff.next(using: &random)
    case .setFilter, .startDiscovery, .powerOn:
      trouble = error
      retry(at: now, using: &random)
      // BlueZ may do it yet.
      mustStopFirst = step == .startDiscovery && error.isStandard("NoReply")
    case .stopDiscovery where isDiscovering && (error.isBlueZ("InProgress") || error.isStandard("NoReply")):
      delay(at: now, using: &random)
    case .stopDiscovery: ended()
    case .powerOff:
      trouble = error
      // A hung controller may obey after all, when nobody waits for it any more.
      powerCycle = error.isLasting ? nil : .powerOn
    }
  }

  private mutating func demandChanged(from old: HearingDemand) {
    listensMeanwhile = old == .presence && demand == .strength && isMonitorTelling
    guard isWanted, old == .nothing else { return }
    monitorFailures = 0
    if case .refused = monitor { monitor = .untried }
  }

  private mutating func unregistered() {
    monitor = .untried
    mustRegisterAnew = false
    mayBeRegistered = false
  }

  private mutating func ended() {
    startedAt = nil
    listensMeanwhile = false
    isFiltered = false
    mustStopFirst = false
  }

  private mutating func retry(at now: Instant, using random: inout some RandomNumberGenerator) {
    if let startedAt, now - startedAt >= Self.soundLength { backoff.reset() }
    ended()
    delay(at: now, using: &random)
  }

  private mutating func delay(at now: Instant, using random: inout some RandomNumberGenerator) {
    notBefore = now + backoff.next(using: &random)
  }

  /// Only what we owe the adapter stays: to switch on what we switched off.
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

extension DBusError {
  /// Asking again will not help.
  fileprivate var isLasting: Bool {
    ["UnknownMethod", "UnknownInterface", "AccessDenied"].contains { isStandard($0) }
      || ["NotSupported", "NotPermitted", "InvalidArguments"].contains { isBlueZ($0) }
  }
}
