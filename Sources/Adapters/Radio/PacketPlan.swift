import HCI
import Instants
import Radios

/// Decides what one adapter whose packets are heard does next, so that it scans by itself for as long as it is wanted to.
///
/// It is wanted to while there is no bluetoothd, and then nobody else switches the adapter on. But one that somebody switches off while it scans is
/// left off until somebody switches it on. What fails is tried again: rfkill, for one, says nothing when it lets go.
struct PacketPlan {
  enum Step: Equatable {
    case scan, cyclePower, stop
  }

  /// A bluetoothd that ends switches its adapters off, and nobody means that.
  static let handOver = Span.seconds(5)
  /// A scan that lasted so long was no failed attempt.
  static let soundLength = Span.seconds(30)

  private(set) var isWanted = false
  private(set) var watch = SilenceWatch()
  /// What has become of the last step.
  private var outcome = HCISource.State.listening
  /// Why the last attempt to scan failed; it holds while the next one is under way.
  private var trouble: HCIError?
  private var retryAt = Instant.never
  private var backoff = Backoff(from: .milliseconds(500), to: .seconds(4))
  private var isScanning = false
  private var isLeftOff = false
  private var wantedSince: Instant?
  private var startedAt: Instant?

  // MARK: - What happens

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
      // Somebody has ended it. Two who do so to each other must not spin.
      if let startedAt, now - startedAt >= Self.soundLength { backoff.reset() }
      retryAt = now + backoff.next(using: &random)
    case .listening, .startingScan, .gone: break
    }
    noteScan(at: now)
  }

  /// It was switched on or off, by whomever: a scan ends with either.
  mutating func switched(on isOn: Bool, blocked isBlocked: Bool, at now: Instant) {
    let isHandedOver = wantedSince.map { now - $0 < Self.handOver } ?? false
    // The kernel may end the scan first, and tells of the adapter after that.
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

  // MARK: - What to do

  /// To be asked after every input and at `deadline`. A step counts as taken once it is returned.
  mutating func nextStep(at now: Instant) -> Step? {
    guard isWanted else { return isIdle ? nil : taken(.stop, .listening, at: now) }
    guard !isLeftOff else { return nil }
    // Nothing is connected where nobody could have connected it.
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

  /// A scan that was begun anew because of a silence has not ended, and goes on being awaited when it cannot begin.
  private mutating func noteScan(at now: Instant) {
    let isAwaited = watch.isProbing && isWanted && state == .paused && !isLeftOff
    guard isScanning != (outcome == .scanning || isAwaited) else { return }
    isScanning.toggle()
    if isScanning { watch.scanBegan(at: now) } else { watch.scanEnded() }
  }

  // MARK: - How it stands

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
