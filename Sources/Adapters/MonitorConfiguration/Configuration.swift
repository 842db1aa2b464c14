import BeaconAdvertising
import Ranging
import Regions

/// Everything that beaconmon.toml can say, with the defaults for what it does not.
public struct Configuration: Hashable, Sendable {
  /// Nil: the command line has to name one.
  public var source: Source?
  /// How many times faster than it was recorded a capture plays; positive.
  public var captureSpeed: Double
  public var ranging: RangingSettings
  /// In the order of the file; no identifier twice.
  public var regions: [BeaconRegion]
  public var journal: JournalSettings
  /// What this machine is to be; none twice.
  public var transmissions: [BeaconTransmission]
  public var notifier: NotifierSettings

  public init(
    source: Source? = nil, captureSpeed: Double = 1, ranging: RangingSettings = RangingSettings(), regions: [BeaconRegion] = [],
    journal: JournalSettings = JournalSettings(), transmissions: [BeaconTransmission] = [], notifier: NotifierSettings = NotifierSettings()
  ) {
    self.source = source
    self.captureSpeed = captureSpeed
    self.ranging = ranging
    self.regions = regions
    self.journal = journal
    self.transmissions = transmissions
    self.notifier = notifier
  }
}
