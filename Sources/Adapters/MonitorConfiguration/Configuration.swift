import BeaconAdvertising
import Consent
import Locations
import Ranging
import Regions

/// Everything that beaconmon.toml can say, with the defaults for what it does not.
public struct Configuration: Hashable, Sendable {
  /// Nil: the command line has to name one.
  public var source: Source?
  /// How many times faster than it was recorded a capture plays; positive.
  public var captureSpeed: Double
  /// In the order of the file; no address twice.
  public var adapters: [AdapterSettings]
  /// Without the adapters' offsets: they go by number, and the source gives those.
  public var ranging: RangingSettings
  /// In the order of the file; no identifier twice.
  public var regions: [Region]
  public var journal: JournalSettings
  /// The beacons that this machine transmits, without duplicates.
  public var transmissions: [BeaconTransmission]
  /// The location sources and their settings.
  public var location: LocationSettings
  public var notifier: NotifierSettings
  /// The users and apps that may learn the device's location, beside those that receive every event. The first match decides.
  public var consentRules: [ConsentRule]

  public init(
    source: Source? = nil, captureSpeed: Double = 1, adapters: [AdapterSettings] = [], ranging: RangingSettings = RangingSettings(),
    regions: [Region] = [], journal: JournalSettings = JournalSettings(), transmissions: [BeaconTransmission] = [],
    location: LocationSettings = LocationSettings(), notifier: NotifierSettings = NotifierSettings(), consentRules: [ConsentRule] = []
  ) {
    self.source = source
    self.captureSpeed = captureSpeed
    self.adapters = adapters
    self.ranging = ranging
    self.regions = regions
    self.journal = journal
    self.transmissions = transmissions
    self.location = location
    self.notifier = notifier
    self.consentRules = consentRules
  }

  /// With the offsets of a source's adapters, by the numbers that it gave them.
  public func ranging(of roster: AdapterRoster) -> RangingSettings {
    var ranging = ranging
    ranging.adapterOffsets = roster.rssiOffsets
    return ranging
  }
}
