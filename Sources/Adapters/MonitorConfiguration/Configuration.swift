import Addresses
import BeaconAdvertising
import BeaconHealth
import Beacons
import Consent
import Departures
import EventActions
import Instants
import LocalEndpoints
import Locations
import Ranging
import Regions
import Venues

/// The settings of a beaconmon.toml, with the defaults for omitted keys.
public struct Configuration: Hashable, Sendable {
  /// The source; nil if the command line has to name one.
  public var source: Source?
  /// The factor by which a capture plays faster than it was recorded; positive.
  public var captureSpeed: Double
  /// The adapters in the order of the file, without duplicate addresses.
  public var adapters: [AdapterSettings]
  /// The settings of ranging without the offsets of adapters, which require the source's adapter numbers.
  public var ranging: RangingSettings
  /// The regions in the order of the file, without duplicate identifiers.
  public var regions: [Region]
  public var journal: JournalSettings
  /// The beacons that this machine transmits, without duplicates.
  public var transmissions: [BeaconTransmission]
  /// The location sources and their settings.
  public var location: LocationSettings
  /// The source of headings.
  public var heading: HeadingSettings
  /// The server of addresses; nil without one, which is the default.
  public var geocoding: GeocodingSettings?
  public var notifier: NotifierSettings
  /// The users and apps that may learn the device's location, beside those that receive every event. The first match decides.
  public var consentRules: [ConsentRule]
  /// The venues of the files in `venues`, with distinct ids and beacons.
  public var venues: [Venue]
  /// The places outside the venues that have a name, in the order of the file.
  public var places: [NamedCircle]
  /// The appointments of the config and of the venue files, in this order.
  public var appointments: [PlannedAppointment] = []
  /// The calendars of the config and of the venue files, in this order.
  public var calendars: [CalendarReference] = []
  /// The needs of the visitor on the way to an appointment.
  public var walking = WalkingSettings()
  /// The place of this device in a venue if it never moves.
  public var receiver: FixedReceiver?
  /// The watch for expected beacons.
  public var beaconHealth = BeaconHealthSettings()
  /// The page in the browser.
  public var web = WebSettings()
  /// The languages of texts from venues, the best one first; empty for the first language of each text.
  public var languages: [String]
  /// The address at which the daemon serves its metrics; nil serves none.
  public var metrics: LocalEndpoint?
  /// The capabilities of the device that its task requires, without duplicates.
  public var required: [RequiredCapability] = []

  public init(
    source: Source? = nil, captureSpeed: Double = 1, adapters: [AdapterSettings] = [], ranging: RangingSettings = RangingSettings(),
    regions: [Region] = [], journal: JournalSettings = JournalSettings(), transmissions: [BeaconTransmission] = [],
    location: LocationSettings = LocationSettings(), heading: HeadingSettings = HeadingSettings(), geocoding: GeocodingSettings? = nil,
    notifier: NotifierSettings = NotifierSettings(),
    consentRules: [ConsentRule] = [], venues: [Venue] = [], places: [NamedCircle] = [], receiver: FixedReceiver? = nil,
    languages: [String] = [], metrics: LocalEndpoint? = nil
  ) {
    self.source = source
    self.captureSpeed = captureSpeed
    self.adapters = adapters
    self.ranging = ranging
    self.regions = regions
    self.journal = journal
    self.transmissions = transmissions
    self.location = location
    self.heading = heading
    self.geocoding = geocoding
    self.notifier = notifier
    self.consentRules = consentRules
    self.venues = venues
    self.places = places
    self.receiver = receiver
    self.languages = languages
    self.metrics = metrics
  }

  /// Returns the settings of ranging with the offsets of a source's adapters, by their numbers.
  public func ranging(of roster: AdapterRoster) -> RangingSettings {
    var ranging = ranging
    ranging.adapterOffsets = roster.rssiOffsets
    ranging.calibratedAdapters = roster.calibrated
    return ranging
  }
}

extension Configuration {
  /// The problem of a config with no source of beacons and none that works without them.
  public static let hasNothingToDo =
    "there is no source of beacons, locations or headings; choose another source, add a [location] table, or a source in [heading]"

  /// Whether the device has a task without beacons: locations, headings of a named source, or own beacons to send.
  /// The default source of headings does not count: any device has it, even one without a compass.
  public var worksWithoutBeacons: Bool {
    location != LocationSettings() || ![.auto, .off].contains(heading.source) || !transmissions.isEmpty
  }
}

/// The file of the journal, and the age and number of events that it keeps.
public struct JournalSettings: Hashable, Sendable {
  /// The path of the file. Nil selects the default path for a radio, and memory for a capture.
  public var path: String?
  public var retention: Span
  public var size: DataSize

  public init(path: String? = nil, retention: Span = .seconds(30 * 86_400), size: DataSize = DataSize(octets: 64 << 20)) {
    self.path = path
    self.retention = retention
    self.size = size
  }
}

extension Configuration {
  /// The UUIDs of the beacon regions and of the beacons with an offset.
  var knownUUIDs: [BeaconUUID] { regions.compactMap { $0.beaconRegion?.constraint.uuid } + ranging.beaconOffsets.keys.map(\.uuid) }
}

/// The actions and targets of the notifier, and their limits.
public struct NotifierSettings: Hashable, Sendable {
  /// The maximum number of commands that run in parallel.
  public var parallelCommands: Int
  /// The targets in the order of the file, including those of actions, without duplicate names.
  public var targets: [Target]
  /// The actions in the order of the file. Every action that matches an event runs.
  public var actions: [EventAction]
  /// The address at which the notifier serves its metrics; nil serves none.
  public var metrics: LocalEndpoint?

  public init(parallelCommands: Int = 4, targets: [Target] = [], actions: [EventAction] = [], metrics: LocalEndpoint? = nil) {
    self.parallelCommands = parallelCommands
    self.targets = targets
    self.actions = actions
    self.metrics = metrics
  }
}
