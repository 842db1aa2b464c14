public import Beacons

/// The changes of a config that setup has agreed upon with its user.
public struct SetupPlan: Hashable, Sendable {
  public struct Region: Hashable, Sendable {
    public enum Area: Hashable, Sendable {
      case beacons(BeaconConstraint)
      /// A place of the venue, by its id.
      case place(String)
    }

    public var name: String
    public var area: Area
    /// The distance in metres that enters; nil if hearing the beacons enters.
    public var within: Double?

    public init(name: String, area: Area, within: Double? = nil) {
      (self.name, self.area, self.within) = (name, area, within)
    }
  }

  /// A receiver of the events of all regions.
  public enum Target: Hashable, Sendable {
    case log
    case webhook(url: String)
    /// - Parameter port: nil for the usual one.
    case broker(host: String, port: Int?, isEncrypted: Bool)
    case command([String])
  }

  /// The adapters that the daemon must not use.
  public var ignoredAdapters: [BluetoothAddress] = []
  /// The path of a venue file, relative to the folder of the config unless it is absolute.
  public var venue: String?
  public var regions: [Region] = []
  /// The dB that are added to the RSSI of each beacon.
  public var offsets: [BeaconIdentity: Double] = [:]
  public var targets: [Target] = []

  public init() {}

  public var isEmpty: Bool {
    ignoredAdapters.isEmpty && venue == nil && regions.isEmpty && offsets.isEmpty && targets.isEmpty
  }
}

/// The config that setup changes.
public protocol SetupConfiguration {
  /// The path of the config for its user.
  var path: String { get }

  /// Reads a venue file, by its path from the folder of the config.
  func venue(at path: String) throws(SetupRefusal) -> SetupVenue

  /// Checks the config that a plan would give, without a change of the file.
  func review(_ plan: SetupPlan) throws(SetupRefusal) -> SetupReview
}

/// The problems of an answer or a plan, a line each, with their remedies.
public struct SetupRefusal: Error, Hashable, Sendable {
  public let lines: [String]

  public init(_ lines: [String]) {
    self.lines = lines
  }
}

/// A venue as setup needs it.
public struct SetupVenue: Hashable, Sendable {
  public var id: String
  /// The ids of the places in their order.
  public var places: [String]
  /// The name of the place of each beacon.
  public var beacons: [BeaconIdentity: String]

  public init(id: String, places: [String], beacons: [BeaconIdentity: String]) {
    (self.id, self.places, self.beacons) = (id, places, beacons)
  }
}

/// The config that a plan would give.
public struct SetupReview: Hashable, Sendable {
  /// The new text of the file.
  public var text: String
  /// The settings that are valid but cannot work, a line each.
  public var warnings: [String]

  public init(text: String, warnings: [String]) {
    (self.text, self.warnings) = (text, warnings)
  }
}
