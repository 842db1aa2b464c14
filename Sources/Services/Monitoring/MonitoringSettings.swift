import BeaconAdvertising
import BeaconHealth
import Beacons
import IndoorPositioning
import Proximity
import Ranging
import Regions
import Venues

/// The parts of the config that monitoring follows.
public struct MonitoringSettings {
  public var regions: [Region]
  public var adapters: [AdapterSettings]
  /// The settings of ranging, without the offsets of adapters, which depend on the numbers that the source gives them.
  public var ranging: RangingSettings
  /// The beacons and places of the venues, by which events and ranged beacons are named.
  public var catalogue: Catalogue
  /// The place of this device in a venue if it never moves.
  public var receiver: FixedReceiver?
  /// The languages of these names, the best one first.
  public var languages: [String]
  /// The watch for expected beacons.
  public var health: BeaconHealthSettings

  public init(
    regions: [Region], adapters: [AdapterSettings], ranging: RangingSettings, catalogue: Catalogue = Catalogue(),
    receiver: FixedReceiver? = nil, languages: [String] = [],
    health: BeaconHealthSettings = BeaconHealthSettings()
  ) {
    self.regions = regions
    self.adapters = adapters
    self.ranging = ranging
    self.catalogue = catalogue
    self.receiver = receiver
    self.languages = languages
    self.health = health
  }
}

extension MonitoringSettings {
  /// Returns the settings of ranging with the offsets of the adapters of a roster.
  func ranging(of roster: AdapterRoster) -> RangingSettings {
    var ranging = ranging
    ranging.adapterOffsets = roster.rssiOffsets
    ranging.calibratedAdapters = roster.calibrated
    return ranging
  }
}
