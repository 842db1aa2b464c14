import BeaconAdvertising
import BlueZ
import DBus
import Diagnostics
import EventLoop
import Instants
import Logging
import ProgramSupport
import Proximity
import Records

/// The beacons that this machine sends, as configured.
final class OwnBeacons {
  /// Called when `records` have changed.
  var onChange: () -> Void = {}
  /// Called with the address of an adapter that should stop scanning for a moment.
  var onScanInTheWay: (BluetoothAddress) -> Void = { _ in }
  /// Whether the daemon is a service of the system; if not, its advice names no systemctl command.
  var namesSystemctl = true
  private let loop: Loop
  private let log: Logger
  /// Created, with its connection, only on a machine that sends a beacon.
  private var advertiser: BlueZAdvertiser?

  init(_ loop: Loop, log: Logger) {
    self.loop = loop
    self.log = log
  }

  /// Sends exactly these beacons; those that are already sent continue without interruption.
  func send(_ transmissions: [BeaconTransmission]) {
    guard transmissions != advertiser?.transmissions ?? [] else { return }
    do {
      try connected().transmissions = transmissions
    } catch {
      log.error("cannot advertise: \(error.message)")
    }
    onChange()
  }

  private func connected() throws(DBusError) -> BlueZAdvertiser {
    if let advertiser { return advertiser }
    let advertiser = try BlueZAdvertiser(loop)
    advertiser.onChange = { [unowned self] in tell($0) }
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

  var records: [Record] {
    (advertiser?.statuses ?? []).map { $0.record(namesSystemctl: namesSystemctl) { WallClock.time(of: $0, on: loop) } }
  }

  private func tell(_ status: AdvertisingStatus) {
    let beacon = status.transmission.beacon.identity
    switch status.state {
    case .starting: break
    case .advertising(let sender):
      log.info(
        "\((["\(beacon) is advertised by \(sender.address)"] + sender.notes).joined(separator: "; "))",
        metadata: .init(.beaconAdvertised, adapter: sender.address))
    case .waiting(.scanning(let adapter)):
      log.notice(
        "\(beacon) waits for \(adapter) to pause its scan", metadata: .init(.beaconAdvertised, adapter: adapter))
    case .waiting(let obstacle):
      log.warning(
        "\(beacon) is not advertised: \(obstacle.text(namesSystemctl: namesSystemctl))", metadata: .init(.beaconAdvertised))
    }
    onChange()
  }
}

extension AdvertisingStatus {
  fileprivate func record(namesSystemctl: Bool, wallClock: (Instant) -> Instant) -> Record {
    var record = transmission.beacon.identity.record
    record.append("measuredPower", .integer(Int64(transmission.beacon.measuredPower)))
    switch state {
    case .starting: record.append("state", .text("starting"))
    case .advertising(let sender):
      record.append("state", .text("advertising"))
      record.append("adapter", .text(sender.address.description))
      if !sender.notes.isEmpty { record.append("note", .text(sender.notes.joined(separator: "; "))) }
    case .waiting(let obstacle):
      record.append("state", .text("waiting"))
      record.append("note", .text(obstacle.text(namesSystemctl: namesSystemctl)))
    }
    record.append("since", .time(wallClock(since)))
    return record
  }
}
