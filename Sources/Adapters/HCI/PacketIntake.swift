import BeaconAdvertising
import CBluetooth
import Instants

/// The results of the packets that were read and not delivered yet.
///
/// It takes a whole batch at once: the access to a property of a class is checked at run time, which for each packet took 4 % of the
/// samples of a flood.
struct PacketIntake {
  var decoder = AdvertisingReportDecoder()
  private(set) var sightings: [Sighting] = []
  private(set) var reports = HeardReports()
  private var reportedReports = 0

  /// Decodes the first `count` packets of a batch.
  mutating func take(_ batch: borrowing PacketBatch, _ count: Int, adapter: UInt16, at time: Instant) {
    for index in 0..<count {
      let packet = batch[index]
      reports.note(packet)
      decoder.decode(packet: packet.bytes, adapter: adapter, time: time, into: &sightings)
    }
  }

  /// Counts the reports since the last call.
  mutating func countReports() {
    let total = decoder.counts.reports
    (reports.count, reportedReports) = (total - reportedReports, total)
  }

  mutating func removeAll() {
    reports.removeAll()
    sightings.removeAll(keepingCapacity: true)
  }
}

/// The reports of one read of the socket, from beacons and other devices; health checks use them.
public struct HeardReports {
  /// The maximum number of devices that one read counts.
  static let mostDevices = 8

  public internal(set) var count = 0
  /// The addresses of some of the devices, as numbers that only tell them apart.
  public private(set) var devices: [UInt64] = []

  /// Takes the first report of a packet, and ignores its other reports and packets that are not a report.
  ///
  /// Bluetooth Core Specification 5.4, Volume 4, Part E, 7.7.65.2 and 7.7.65.13: the address follows the event type and its own type.
  mutating func note(_ packet: UnsafeRawBufferPointer) {
    guard devices.count < Self.mostDevices, packet.count > 3, packet[1] == EVT_LE_META_EVENT else { return }
    let (legacy, extended): (UInt8, UInt8) = (0x02, 0x0D)
    let start: Int
    switch packet[3] {
    case legacy: start = 7
    case extended: start = 8
    default: return
    }
    guard packet.count >= start + 8 else { return }
    devices.append(UInt64(bigEndian: packet.loadUnaligned(fromByteOffset: start, as: UInt64.self)) >> 16)
  }

  mutating func removeAll() {
    count = 0
    devices.removeAll(keepingCapacity: true)
  }
}
