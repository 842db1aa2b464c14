import HCI
import Instants
import RadioHealth

/// Decides the next step of an adapter whose packets are received, so that it scans without bluetoothd while necessary.
///
/// This is necessary while bluetoothd does not run, which would also switch the adapter on. An adapter that is switched off while it scans
/// stays off until a user switches it on. Failed steps are retried, because rfkill, for example, does not report the end of a block.
struct PacketPlan {
  enum Step: Equatable {
    case scan, cyclePower, stop
  }

  /// The time after the end of bluetoothd in which an adapter that is switched off is not left off.
  static let handOver = Span.seconds(5)
  /// The length of a scan that counts as successful.
  static let soundLength = Span.seconds(30)

  private(set) var isWanted = false
  private(set) var watch = SilenceWatch()
  /// The outcome of the last step.
  private var outcome = HCISource.State.listening
  /// The reason of the last failed attempt to scan, also during the next one.
  private var trouble: HCIError?
  private var retryAt = Instant.never
  private var backoff = Backoff(from: .milliseconds(500), to: .seconds(4))
  private var isScanning = false
  private var isLeftOff = false
  private var wantedSince: Instant?
  private var startedAt: Instant?

  // MARK: - Inputs

  mutating func want(_ isWanted: Bool, at now: Instant) {
    guard isWanted != self.isWanted else { return }
    self.isWanted = isWanted
    wantedSince = now
    isLeftOff = false
    trouble = nil
    watch = SilenceWatch()
    isScanning = false
  }

  mutating func became(_ state: HCISource.State, at now: Instant, using random: inout some RandomNumberGenerator) {
    let before = outcome
    outcome = state
    retryAt = .never
    switch state {
    case .scanning:
      startedAt = now
      trouble = nil
    case .scanFailed(let error):
      trouble = error
      retryAt = now + backoff.next(using: &random)
    case .listening where before == .scanning:
      // Another program stopped the scan. Two programs that stop the scans of each other must not loop without a pause.
      if let startedAt, now - startedAt >= Self.soundLength { backoff.reset() }
      retryAt = now + backoff.next(using: &random)
    case .listening, .startingScan, .gone: break
    }
    noteScan(at: now)
  }

  /// Call when the adapter was switched on or off, both of which end a scan.
  mutating func switched(on isOn: Bool, blocked isBlocked: Bool, at now: Instant) {
    let isHandedOver = wantedSince.map { now - $0 < Self.handOver } ?? false
    // The kernel may first report the end of the scan and then the adapter.
    let wasScanning = outcome == .scanning || outcome == .listening && retryAt != .never
    isLeftOff = !isOn && !isBlocked && wasScanning && !isHandedOver
    guard isWanted, outcome != .startingScan else { return }
    outcome = .listening
    trouble = nil
    retryAt = .never
    noteScan(at: now)
  }

  mutating func heard(_ devices: some Collection<UInt64>, at now: Instant) {
    for device in devices { watch.heard(device, at: now) }
  }

  // MARK: - Steps

  /// Returns the next step. Call after every input and at `deadline`; the step counts as taken.
  mutating func nextStep(at now: Instant) -> Step? {
    guard isWanted else { return isIdle ? nil : taken(.stop, .listening, at: now) }
    guard !isLeftOff else { return nil }
    // Without bluetoothd there are no connections.
    switch watch.check(at: now, anyConnected: false, isHearing: outcome == .scanning) {
    case .restartScan: return taken(.scan, .startingScan, at: now)
    case .powerCycle: return taken(.cyclePower, .startingScan, at: now)
    case nil: break
    }
    switch outcome {
    case .listening, .scanFailed: return retryAt == .never || now >= retryAt ? taken(.scan, .startingScan, at: now) : nil
    case .startingScan, .scanning, .gone: return nil
    }
  }

  var deadline: Instant { isWanted ? min(retryAt, watch.deadline) : .never }

  private var isIdle: Bool {
    switch outcome {
    case .listening, .gone: true
    case .startingScan, .scanning, .scanFailed: false
    }
  }

  private mutating func taken(_ step: Step, _ outcome: HCISource.State, at now: Instant) -> Step {
    self.outcome = outcome
    retryAt = .never
    noteScan(at: now)
    return step
  }

  /// Records the start of a scan. A scan that is restarted after a silence has not ended, even if the restart fails.
  private mutating func noteScan(at now: Instant) {
    let isAwaited = watch.isProbing && isWanted && state == .paused && !isLeftOff
    guard isScanning != (outcome == .scanning || isAwaited) else { return }
    isScanning.toggle()
    if isScanning { watch.scanBegan(at: now) } else { watch.scanEnded() }
  }

  // MARK: - Health

  var health: AdapterHealth.State {
    watch.isSilent && (state == .scanning || state == .paused) ? .silent : state
  }

  var failure: HCIError? {
    switch outcome {
    case .scanning: nil
    case .listening, .startingScan, .scanFailed: trouble
    case .gone(let error): error
    }
  }

  private var state: AdapterHealth.State {
    if isLeftOff { return .off }
    return switch outcome {
    case .scanning: .scanning
    case .gone: .gone
    case .listening, .startingScan, .scanFailed:
      switch trouble {
      case .blocked: .blocked
      case .off, .missing(.netAdmin, _, _): .off
      default: isWanted ? .paused : .idle
      }
    }
  }
}
