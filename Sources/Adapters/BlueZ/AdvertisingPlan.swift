import BeaconAdvertising
import Beacons
import DBus
import Instants

/// Decides the next request to BlueZ, so that one beacon is sent for as long as it is requested, through all failures.
///
/// The plan returns one step at a time; the next step comes after the answer to the last. When an adapter loses its power, the plan gives
/// up its requests and repeats them later: whether BlueZ and the kernel remember them depends on their versions.
struct AdvertisingPlan {
  /// A request to BlueZ, with the path of an adapter.
  enum Step: Hashable, Sendable {
    case register(String)
    case unregister(String)
  }

  enum Reachability: Equatable, Sendable {
    /// The bus is unavailable, with the reason; nil if it has not answered yet.
    case unreachable(DBusError?)
    /// bluetoothd does not run.
    case absent(isAnyAdapterPlugged: Bool)
    /// The adapters, in no order.
    case adapters([AdvertisingAdapter])
  }

  /// The time to wait for more adapters, which a bluetoothd that has just started reports one by one.
  static let settling = Span.seconds(2)

  /// The address of the only adapter to use; nil for any adapter.
  private let address: BluetoothAddress?
  private(set) var reachability = Reachability.unreachable(nil)
  private(set) var registered: String?
  private var pending: Step?
  private var refusal: DBusError?
  private var notBefore: Instant?
  private var settled: Instant?
  private var backoff = Backoff(from: .seconds(1), to: .seconds(30))

  init(address: BluetoothAddress?) {
    self.address = address
  }

  /// The adapter that sends the beacon now.
  var sender: AdvertisingAdapter? { candidates.first { $0.path == registered && $0.isUsable } }

  /// Returns why the beacon is not sent; nil while it is sent or is about to be.
  func obstacle(at now: Instant) -> AdvertisingObstacle? {
    switch reachability {
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

  /// The path of the adapter where BlueZ may hold the advertisement, now or after its answer.
  var asked: String? {
    if case .register(let path) = pending { return path }
    return registered
  }

  // MARK: - Steps

  /// Returns the next step; call after every input and at `deadline`. A step that is returned counts as requested.
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

  /// The time to ask again even if nothing happens.
  var deadline: Instant { min(settled ?? .never, pending == nil ? notBefore ?? .never : .never) }

  private var candidates: [AdvertisingAdapter] {
    guard case .adapters(let adapters) = reachability else { return [] }
    return adapters.filter { address == nil || $0.facts.address == address }.sorted { ($0.path.count, $0.path) < ($1.path.count, $1.path) }
  }

  /// The adapter that should send the beacon: the current sender, or else the first usable one.
  private var target: AdvertisingAdapter? {
    let usable = candidates.filter(\.isUsable)
    return usable.first { $0.path == registered } ?? usable.first
  }

  // MARK: - Inputs

  mutating func update(_ new: Reachability, at now: Instant) {
    let (old, oldTarget) = (reachability, target)
    reachability = new
    switch (old, new) {
    case (.adapters, .adapters): break
    case (_, .adapters): settled = now + Self.settling
    default: forget()
    }
    if registered.map({ path in !candidates.contains { $0.path == path } }) == true { registered = nil }
    // Another adapter may accept a request that one refused. The same adapter may accept it when it returns or stops scanning.
    let hasStoppedScanning = oldTarget?.facts.isDiscovering == true && target?.facts.isDiscovering == false
    if target?.path != oldTarget?.path || hasStoppedScanning { encourage() }
  }

  /// Takes the answer to the last step; nil for success.
  mutating func answered(_ error: DBusError?, at now: Instant, using random: inout some RandomNumberGenerator) {
    guard let step = pending else { return }
    pending = nil
    switch step {
    case .unregister: registered = nil
    case .register(let path):
      // The paths of advertisements are never used twice, so an existing one is this one.
      if error == nil || error?.isBlueZ("AlreadyExists") == true {
        encourage()
        registered = candidates.contains { $0.path == path } ? path : nil
      } else {
        refusal = error
        notBefore = now + backoff.next(using: &random)
      }
    }
  }

  /// Notes that BlueZ has released the advertisement: another program removed it, or its adapter is going.
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
