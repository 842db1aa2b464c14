import BeaconAdvertising
import Beacons
import ConfigurationTree
import Events
import Instants
import Proximity
import Ranging
import Records
import Regions

/// The bus, to which the daemon publishes its results.
public protocol MonitoringBus: AnyObject {
  /// True while the bus accepts less than the daemon sends, so that messages without urgency should wait.
  var isCongested: Bool { get }
  /// Runs when the congestion has ended.
  var onDrained: () -> Void { get set }

  /// Sends an event to the clients that may receive it. Throws while the bus is disconnected.
  ///
  /// - Parameter details: the event as recorded in the journal, if it is recorded.
  func publish(_ event: RegionEvent, details: Event) throws
  /// Sends an event that is at no region, such as advice for an appointment. Throws while the bus is disconnected.
  func publish(_ event: Event) throws
  /// Sends every session the snapshots of the constraints that it ranges.
  func publish(_ snapshots: [BeaconConstraint: [RangedBeacon]], at time: Instant)
  /// Sends every scanning session the beacons in range.
  ///
  /// - Parameter kinds: the counts of all advertisements since the scan began.
  func publish(_ snapshot: ScanSnapshot, kinds: Tally<AdvertisementKind>)

  /// Brings the objects of regions and adapters in line with the configured regions and the adapters of the source.
  func updateRegions() throws
  func updateAdapters() throws
  /// Announces the source's state, reason and note, as far as they have changed.
  func sourceChanged()
  /// Announces another journal in use, or another durability.
  func journalChanged()
  /// Announces changed decisions, and ends the streams of sessions that are no longer allowed.
  func consentChanged()
}

/// The rules for regions that clients define, which are those of the config.
public protocol RegionDecoder {
  /// Returns the region that a client defines.
  func region(_ definition: [String: ConfigurationNode], of owner: RegionOwner) throws(RegionRefusal) -> Region
}

/// The error for a client's definition that makes no region.
public struct RegionRefusal: Error {
  /// Each problem with its remedy, after the key that it concerns.
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }
}
