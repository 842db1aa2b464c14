import BeaconAdvertising
import Beacons
import DBus
import Diagnostics
import EventLoop
import Instants
import Logging
import Proximity
import Status

/// The beacons that this machine sends, as configured.
public final class OwnBeacons {
  /// Runs when `advertised` has changed.
  public var onChange: () -> Void = {}
  /// Receives the address of an adapter that should stop scanning for a moment.
  public var onScanInTheWay: (BluetoothAddress) -> Void = { _ in }
  private let loop: Loop
  private let namesSystemctl: Bool
  private let log: Logger
  private let makeAdvertiser: () throws(DBusError) -> BlueZAdvertiser
  /// The advertiser, created with its connection only on a machine that sends a beacon.
  private var advertiser: BlueZAdvertiser?

  /// - Parameter namesSystemctl: whether the daemon is a service of the system; if not, its advice names no systemctl command.
  public convenience init(_ loop: Loop, namesSystemctl: Bool, log: Logger) {
    self.init(loop, namesSystemctl: namesSystemctl, log: log) { () throws(DBusError) in try BlueZAdvertiser(loop) }
  }

  /// - Parameter makeAdvertiser: called for the first beacon, because it opens a connection.
  init(
    _ loop: Loop, namesSystemctl: Bool, log: Logger, makeAdvertiser: @escaping () throws(DBusError) -> BlueZAdvertiser
  ) {
    self.loop = loop
    self.namesSystemctl = namesSystemctl
    self.log = log
    self.makeAdvertiser = makeAdvertiser
  }

  /// Sends exactly these beacons; those that are already sent continue without interruption.
  public func send(_ transmissions: [BeaconTransmission]) {
    guard transmissions != advertiser?.transmissions ?? [] else { return }
    do {
      try connected().transmissions = transmissions
    } catch {
      log.error("cannot advertise until the next reload of the config: \(error.message)")
    }
    onChange()
  }

  private func connected() throws(DBusError) -> BlueZAdvertiser {
    if let advertiser { return advertiser }
    let advertiser = try makeAdvertiser()
    advertiser.onChange = { [unowned self] in report($0) }
    advertiser.onRefusal = { [unowned self] in
      switch $0 {
      // A monitor makes an adapter scan too, but BlueZ does not report that as discovering.
      case .scanning(let adapter), .refused(let adapter, _): onScanInTheWay(adapter)
      default: break
      }
    }
    self.advertiser = advertiser
    return advertiser
  }

  /// The beacons with their states, for clients.
  public var advertised: [AdvertisedBeacon] {
    (advertiser?.statuses ?? []).map { AdvertisedBeacon($0, namesSystemctl: namesSystemctl) { WallClock.time(of: $0, on: loop) } }
  }

  private func report(_ status: AdvertisingStatus) {
    let beacon = status.transmission.beacon.identity
    switch status.state {
    case .starting: break
    case .advertising(let sender):
      log.info(
        "\((["\(beacon) is advertised by \(sender.address)"] + sender.notes).joined(separator: "; "))",
        metadata: Self.fields(sender.address))
    case .waiting(.scanning(let adapter)):
      log.notice(
        "\(beacon) waits for \(adapter) to pause its scan", metadata: Self.fields(adapter))
    case .waiting(let obstacle):
      log.warning(
        "\(beacon) is not advertised: \(obstacle.text(namesSystemctl: namesSystemctl))", metadata: Self.fields())
    }
    onChange()
  }

  private static func fields(_ adapter: BluetoothAddress? = nil) -> Logger.Metadata {
    LogMessage.beaconAdvertised.fields(adapter: adapter?.description).mapValues { .string($0) }
  }
}

extension AdvertisedBeacon {
  fileprivate init(_ status: AdvertisingStatus, namesSystemctl: Bool, wallClock: (Instant) -> Instant) {
    self.init()
    let beacon = status.transmission.beacon
    (uuid, major, minor) = (beacon.identity.uuid, beacon.identity.major, beacon.identity.minor)
    measuredPower = Int64(beacon.measuredPower)
    switch status.state {
    case .starting: state = .starting
    case .advertising(let sender):
      (state, adapter) = (.advertising, sender.address)
      note = sender.notes.isEmpty ? nil : sender.notes.joined(separator: "; ")
    case .waiting(let obstacle):
      (state, note) = (.waiting, obstacle.text(namesSystemctl: namesSystemctl))
    }
    since = wallClock(status.since)
  }
}
