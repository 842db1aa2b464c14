import BeaconAdvertising
import DBus
import Instants

/// Decides what to ask of BlueZ next, so that one beacon is sent for as long as it is wanted to, whatever happens in between.
///
/// It gives one step at a time: the next one comes when the last one is answered. What was asked of an adapter that lost its power is given
/// up and asked for again later: whether BlueZ and the kernel remember it then depends on their versions.
struct AdvertisingPlan {
  /// With the path of an adapter.
  enum Step: Hashable, Sendable {
    case register(String)
    case unregister(String)
  }

  enum Ground: Equatable, Sendable {
    /// Without a reason, the bus has not answered yet.
    case unreachable(DBusError?)
    /// bluetoothd does not run, where the kernel has an adapter or not.
    case absent(isAnyAdapterPlugged: Bool)
    /// In no order.
    case adapters([AdvertisingAdapter])
  }

  /// A bluetoothd that has just come tells of its adapters one by one.
  static let settling = Span.seconds(2)

  /// The only adapter that will do; nil when any will.
  private let address: BluetoothAddress?
  private(set) var ground = Ground.unreachable(nil)
  private(set) var registered: String?
  private var pending: Step?
  private var refusal: DBusError?
  private var notBefore: Instant?
  private var settled: Instant?
  private var backoff = Backoff(from: .seconds(1), to: .seconds(30))

  init(address: BluetoothAddress?) {
    self.address = address
  }

  /// The adapter that sends it now.
  var sender: AdvertisingAdapter? { candidates.first { $0.path == registered && $0.isUsable } }

  /// Nil while it is sent, and while it is about to be.
  func obstacle(at now: Instant) -> AdvertisingObstacle? {
    switch ground {
    case .unreachable(let reason): return reason.map { .noBus($0) }
    case .absent(let isAnyAdapterPlugged): return isAnyAdapterPlugged ? .noService : .noAdapter(nil)
    case .adapters: break
    }
    if let target, target.path == registered { return nil }
    if let target, let refusal { return AdvertisingObstacle(refusal, of: target.facts) }
    if let settled, now < settled { return nil }
    if candidates.isEmpty { return .noAdapter(address) }
    return target == nil ? candidates.first?.obstacle : nil
  }

  /// Where BlueZ may hold it, now or as soon as it has answered.
  var asked: String? {
    if case .register(let path) = pending { return path }
    return registered
  }

  // MARK: - What to do

  /// To be asked after every input and at `deadline`. A step counts as asked for once it is returned.
  mutating func nextStep(at now: Instant) -> Step? {
    if let due = settled, now >= due { settled = nil }
    if let due = notBefore, now >= due { notBefore = nil }
    guard pending == nil else { return nil }
    if let registered, registered != target?.path {
      pending = .unregister(registered)
    } else if registered == nil, notBefore == nil, let target {
      pending = .register(target.path)
    }
    return pending
  }

  /// When to ask again though nothing happens.
  var deadline: Instant { min(settled ?? .never, pending == nil ? notBefore ?? .never : .never) }

  private var candidates: [AdvertisingAdapter] {
    guard case .adapters(let adapters) = ground else { return [] }
    return adapters.filter { address == nil || $0.facts.address == address }.sorted { ($0.path.count, $0.path) < ($1.path.count, $1.path) }
  }

  /// The adapter that should send it: the one that does, or else the first that can.
  private var target: AdvertisingAdapter? {
    let usable = candidates.filter(\.isUsable)
    return usable.first { $0.path == registered } ?? usable.first
  }

  // MARK: - What happened

  mutating func update(_ new: Ground, at now: Instant) {
    let (old, oldTarget) = (ground, target)
    ground = new
    switch (old, new) {
    case (.adapters, .adapters): break
    case (_, .adapters): settled = now + Self.settling
    default: forget()
    }
    if registered.map({ path in !candidates.contains { $0.path == path } }) == true { registered = nil }
    // What one adapter refused another may do, or the same one when it is back or does not scan any more.
    let hasStoppedScanning = oldTarget?.facts.isDiscovering == true && target?.facts.isDiscovering == false
    if target?.path != oldTarget?.path || hasStoppedScanning { encourage() }
  }

  /// Nil for success.
  mutating func answered(_ error: DBusError?, at now: Instant, using random: inout some RandomNumberGenerator) {
    guard let step = pending else { return }
    pending = nil
    switch step {
    case .unregister: registered = nil
    case .register(let path):
      // The paths of advertisements are never used twice: what is there already is this one.
      if error == nil || error?.isBlueZ("AlreadyExists") == true {
        encourage()
        registered = candidates.contains { $0.path == path } ? path : nil
      } else {
        refusal = error
        notBefore = now + backoff.next(using: &random)
      }
    }
  }

  /// BlueZ has let go of it: somebody removed it, or its adapter is going.
  mutating func released(at now: Instant, using random: inout some RandomNumberGenerator) {
    guard registered != nil, pending == nil else { return }
    registered = nil
    notBefore = now + backoff.next(using: &random)
  }

  private mutating func encourage() {
    refusal = nil
    notBefore = nil
    backoff.reset()
  }

  private mutating func forget() {
    encourage()
    registered = nil
    pending = nil
    settled = nil
  }
}

extension AdvertisingObstacle {
  fileprivate init(_ error: DBusError, of adapter: AdapterFacts) {
    let address = adapter.address
    if error.isStandard("AccessDenied") {
      self = .denied(error)
    } else if error.isBlueZ("NotPermitted") {
      self = .full(address)
    } else if error.isBlueZ("Failed"), adapter.isDiscovering {
      self = .scanning(address)
    } else {
      self = .refused(address, error)
    }
  }
}
