import BeaconAdvertising
import Beacons
import Events
import Instants
import Locations
import Records

/// The state of the daemon, its adapters and its regions, as `beaconmon status` shows it.
///
/// A value is nil if it is unknown, does not apply, or comes from a daemon of another version that reports it differently.
public struct MonitorStatus: RecordRepresentable, Hashable {
  public var version: String?
  public var refusedReload: RefusedReload?
  public var configuration: Configuration?
  public var source = SourceStatus()
  public var journal = JournalStatus()
  public var registrations: RegistrationCounts?
  /// The beacons that this machine advertises.
  public var advertisements: [AdvertisedBeacon]?
  /// The capabilities that the configuration requires and the device lacks; nil if there are none.
  public var missingCapabilities: [MissingCapability]?
  public var location: LocationReport?
  public var locationSources: [LocationSourceStatus]?
  /// The last switches of location sources, the latest last.
  public var locationSwitches: [LocationSwitch]?
  /// The sources of headings, the preferred one first.
  public var headingSources: [HeadingSourceStatus]?
  public var locationServices = LocationServicesStatus()
  /// The server of addresses; nil if none is configured.
  public var geocoding: GeocodingStatus?
  /// The venues of the configuration.
  public var venues: [VenueStatus]?
  /// The expected beacons and their health.
  public var beacons: [BeaconStatus]?
  /// The reason why the silence of expected beacons does not count; nil if it counts.
  public var beaconNote: String?
  /// The appointments of the device, the next one first.
  public var appointments: [AppointmentStatus]?
  public var adapters: [AdapterStatus]?
  public var regions: [RegionStatus]?

  public init() {}

  public static let fields: [RecordField<Self>] =
    [
      RecordField("version", \.version),
      RecordField("registrations", \.registrations),
      RecordField("refusedReload", \.refusedReload),
      RecordField("configuration", \.configuration),
      RecordField("advertisements", \.advertisements),
      RecordField("missingCapabilities", \.missingCapabilities),
      RecordField("location", \.location),
      RecordField("locationSources", \.locationSources),
      RecordField("locationSwitches", \.locationSwitches),
      RecordField("headingSources", \.headingSources),
      RecordField("geocoding", \.geocoding),
      RecordField("venues", \.venues),
      RecordField("beacons", \.beacons),
      RecordField("beaconNote", \.beaconNote),
      RecordField("appointments", \.appointments),
      RecordField("adapters", \.adapters),
      RecordField("regions", \.regions),
    ]
    + SourceStatus.fields.map { $0.of(\.source) } + JournalStatus.fields.map { $0.of(\.journal) }
    + LocationServicesStatus.fields.map { $0.of(\.locationServices) }
}

extension MonitorStatus {
  /// The last reload of the configuration, if it was refused.
  public struct RefusedReload: RecordRepresentable, Hashable {
    /// The time since the Unix epoch.
    public var time: Instant?
    /// The first problem, and the number of further ones.
    public var reason: String?

    public init() {}

    public init(time: Instant, reason: String) {
      (self.time, self.reason) = (time, reason)
    }

    public static let fields: [RecordField<Self>] = [
      RecordField("time", \.time),
      RecordField("reason", \.reason),
    ]
  }
}

extension MonitorStatus {
  /// The configuration in use.
  public struct Configuration: RecordRepresentable, Hashable {
    /// The files that were read, the main one first.
    public var files: [File]?
    /// The time of the reading since the Unix epoch.
    public var time: Instant?
    /// A text that is the same for files with the same keys and values.
    public var digest: String?
    /// Whether a part of the files applies only after a restart; nil if nothing does.
    public var needsRestart: Bool?
    /// The advice about keys that have another name now; nil if there are none.
    public var note: String?
    /// The revision of the rollout that the configuration contains; nil if there is none.
    public var rollout: Int64?
    /// The problem of a rollout that is not in use; nil if there is none.
    public var rolloutNote: String?

    public init() {}

    public init(
      files: [String], time: Instant, digest: String, needsRestart: Bool, note: String?, rollout: Int64? = nil, rolloutNote: String? = nil
    ) {
      (self.files, self.time, self.digest, self.note) = (files.map(File.init), time, digest, note)
      (self.rollout, self.rolloutNote) = (rollout, rolloutNote)
      self.needsRestart = needsRestart ? true : nil
    }

    public static let fields: [RecordField<Self>] = [
      RecordField("files", \.files),
      RecordField("time", \.time),
      RecordField("digest", \.digest),
      RecordField("needsRestart", \.needsRestart),
      RecordField("note", \.note),
      RecordField("rollout", \.rollout),
      RecordField("rolloutNote", \.rolloutNote),
    ]

    /// One file of the configuration.
    public struct File: RecordRepresentable, Hashable {
      public var path: String?

      public init() {}

      public init(_ path: String) { self.path = path }

      public static let fields: [RecordField<Self>] = [RecordField("path", \.path)]
    }
  }
}

/// The journal of the configured regions.
public struct JournalStatus: RecordRepresentable, Hashable {
  public var name: String?
  /// The sequence of the last event; 0 before the first.
  public var lastSequence: UInt64?
  /// Whether events survive the daemon.
  public var isDurable: Bool?
  /// The problem of the file; nil if there is none.
  public var note: String?
  public var damagedEvents: UInt64?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("journal", \.name),
    RecordField("lastSequence", \.lastSequence),
    RecordField("durable", \.isDurable),
    RecordField("journalNote", \.note),
    RecordField("damagedEvents", \.damagedEvents),
  ]
}

/// The numbers of regions that apps have registered, of these apps, and of registrations without effect.
public struct RegistrationCounts: RecordRepresentable, Hashable {
  public var regions: UInt64?
  public var apps: UInt64?
  public var idle: UInt64?

  public init() {}

  public init(regions: Int, apps: Int, idle: Int) {
    (self.regions, self.apps, self.idle) = (UInt64(regions), UInt64(apps), UInt64(idle))
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("regions", \.regions),
    RecordField("apps", \.apps),
    RecordField("idle", \.idle),
  ]
}

/// Whether sessions receive locations and events at all.
public struct LocationServicesStatus: RecordRepresentable, Hashable {
  public var isEnabled: Bool?
  /// The problem of the file of decisions and its remedy; nil if there is none.
  public var note: String?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("locationServicesEnabled", \.isEnabled),
    RecordField("consentNote", \.note),
  ]
}
