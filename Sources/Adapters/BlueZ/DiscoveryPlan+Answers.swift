import DBus
import Instants

extension DiscoveryPlan {
  /// Takes the answer to the last step; nil for success.
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
    // BlueZ may have released the monitor already.
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
      busySince = busySince ?? now
      ended()
      // A session of this program may still exist. Or bluetoothd was restarted, and the kernel continues its last scan for 10 s.
      mustStopFirst = true
      notBefore = now + busyBackoff.next(using: &random)
    case .setFilter, .startDiscovery, .powerOn:
      trouble = error
      retry(at: now, using: &random)
      // BlueZ may still start the discovery.
      mustStopFirst = step == .startDiscovery && error.isStandard("NoReply")
    case .stopDiscovery where isDiscovering && (error.isBlueZ("InProgress") || error.isStandard("NoReply")):
      delay(at: now, using: &random)
    case .stopDiscovery: ended()
    case .powerOff:
      trouble = error
      // A hung controller may obey after the request has timed out.
      powerCycle = error.isLasting ? nil : .powerOn
    }
  }

  mutating func unregistered() {
    monitor = .untried
    mustRegisterAnew = false
    mayBeRegistered = false
  }

  mutating func ended() {
    startedAt = nil
    listensMeanwhile = false
    isFiltered = false
    mustStopFirst = false
  }

  mutating func retry(at now: Instant, using random: inout some RandomNumberGenerator) {
    if let startedAt, now - startedAt >= Self.soundLength { backoff.reset() }
    ended()
    delay(at: now, using: &random)
  }

  private mutating func delay(at now: Instant, using random: inout some RandomNumberGenerator) {
    notBefore = now + backoff.next(using: &random)
  }
}

extension DBusError {
  /// Whether a retry will not help.
  fileprivate var isLasting: Bool {
    ["UnknownMethod", "UnknownInterface", "AccessDenied"].contains { isStandard($0) }
      || ["NotSupported", "NotPermitted", "InvalidArguments"].contains { isBlueZ($0) }
  }
}
