import Beacons
public import ClientCommands
public import Instants
public import Ranging
public import Scheduling
public import Status

/// The beacons and the adapters of the daemon after some seconds, for setup.
public final class SetupListening {
  public private(set) var beacons: [SetupSurroundings.Beacon] = []
  public private(set) var adapters: [SetupSurroundings.Adapter] = []
  /// The obstacle that keeps the daemon from receiving; nil with beacons.
  public private(set) var obstacle: String?
  /// Whether the time has passed; false after an interruption.
  public private(set) var hasEnded = false
  /// Receives the end.
  public var onEnd: () -> Void = {}

  private let scheduler: any Scheduler
  private let hearing: HearingCheck
  private var timer: (any SchedulerTimer)?

  public init(_ scheduler: any Scheduler) {
    self.scheduler = scheduler
    hearing = HearingCheck(scheduler)
    timer = scheduler.timer { [unowned self] in finish() }
  }

  /// Listens for a time that begins now. Call when a daemon is available.
  public func begin(for duration: Span, _ ask: @escaping HearingCheck.Question) {
    timer?.arm(at: scheduler.now + duration)
    hearing.begin(ask) { _ in }
  }

  public func take(_ report: ScanReport) {
    beacons = (report.uuids ?? []).flatMap { group in
      (group.beacons ?? []).compactMap { beacon in
        guard let uuid = group.uuid, let major = beacon.major, let minor = beacon.minor else { return nil }
        return SetupSurroundings.Beacon(BeaconIdentity(uuid: uuid, major: major, minor: minor), rssi: beacon.rssi)
      }
    }
  }

  /// Takes the status of the daemon. A user who may not read it chooses no adapters.
  public func take(_ status: MonitorStatus) {
    adapters = (status.adapters ?? []).compactMap { adapter in
      adapter.address.map { SetupSurroundings.Adapter($0, name: adapter.name) }
    }
  }

  private func finish() {
    hasEnded = true
    guard beacons.isEmpty else { return onEnd() }
    hearing.again { [weak self] in
      self?.obstacle = $0
      self?.onEnd()
    }
  }
}
