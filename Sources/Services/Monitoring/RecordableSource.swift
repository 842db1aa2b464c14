import BeaconAdvertising
import Beacons
import Instants

/// A source whose advertisements can be recorded, and which can make room for a beacon that this machine sends.
public protocol RecordableSource: SightingSource {
  /// The receiver of all advertisements, including those of other devices; nil without a recording.
  var tap: AdvertisementTap? { get set }
  /// Stops scanning with an adapter for a moment, so that it can begin to advertise.
  func yield(adapter address: BluetoothAddress)
}

extension RecordableSource {
  /// Does nothing, for a source without adapters.
  public func yield(adapter address: BluetoothAddress) {}
}

/// The receiver of a source's advertisements in the order of their reception.
/// Each comes with the number of its adapter and its time.
public struct AdvertisementTap {
  /// Takes a packet of HCI.
  public let packet: (RawSpan, UInt16, Instant) -> Void
  /// Takes a report of a source without packets.
  public let report: (AdvertisingReport, UInt16, Instant) -> Void

  public init(packet: @escaping (RawSpan, UInt16, Instant) -> Void, report: @escaping (AdvertisingReport, UInt16, Instant) -> Void) {
    self.packet = packet
    self.report = report
  }
}
