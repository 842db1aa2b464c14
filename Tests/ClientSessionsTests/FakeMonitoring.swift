import Beacons
import ClientSessions
import ConfigurationTree
import Consent
import ConsentService
import Instants
import Locations
import Monitoring
import Regions

/// An engine that records its requests, and names no places.
final class FakeMonitoring: SessionMonitoring, SessionRegistrations, SessionPlaces {
  var hearsBeacons = true
  var missing: [MissingCapability] = []
  private(set) var constraints: [BeaconConstraint] = []
  private(set) var scanners = 0
  private(set) var receptionClients = 0
  var configured: Set<String> = []
  private(set) var monitored: [Region] = []
  private(set) var forgotten: [RegionOwner] = []
  /// The identifiers of registered regions; a test may add those of other apps.
  var registered: [String] = []
  /// The locations that were reported with the owner's places hidden, and their languages.
  private(set) var reports: [(isHidden: Bool, locale: String?, wanted: Double)] = []
  private(set) var prepared = 0
  /// The look-ups of addresses that wait for an answer; nil looks up none.
  var lookUps: [() -> Void]?

  func missing(of required: [RequiredCapability]) -> [MissingCapability] {
    missing.filter { missing in required.contains { $0.rawValue == missing.capability } }
  }

  func startRanging(_ constraint: BeaconConstraint, isPassive: Bool) { constraints.append(constraint) }
  func stopRanging(_ constraint: BeaconConstraint, isPassive: Bool) { constraints.removeAll { $0 == constraint } }
  func countReception(isWanted: Bool) { receptionClients += isWanted ? 1 : -1 }
  func startScanning() { scanners += 1 }
  func stopScanning() { scanners -= 1 }

  func hasConfiguredRegion(_ identifier: String) -> Bool { configured.contains(identifier) }

  /// Returns a region of one beacon with the identifier of the definition.
  func region(_ definition: [String: ConfigurationNode], of owner: RegionOwner) throws(RegionRefusal) -> Region {
    guard case .text(let identifier) = definition["identifier"]?.value else { throw RegionRefusal("identifier is missing") }
    return .beacon(BeaconRegion(identifier: identifier, owner: owner, constraint: .beacon(1)))
  }

  func startMonitoring(_ region: Region) {
    monitored.removeAll { $0.identifier == region.identifier && $0.owner == region.owner }
    monitored.append(region)
  }
  func stopMonitoring(_ identifiers: [String], of owner: RegionOwner) {
    monitored.removeAll { identifiers.contains($0.identifier) && $0.owner == owner }
  }
  func forget(_ owner: RegionOwner) { forgotten.append(owner) }

  func register(
    _ definition: [String: ConfigurationNode], as identifier: String, of app: AppID, for client: ConsentClient
  ) throws(RegistrationError) {
    if !registered.contains(identifier) { registered.append(identifier) }
  }
  func unregister(_ identifier: String?, of app: AppID, user: UInt32) throws(RegistrationError) {
    registered.removeAll { $0 == identifier }
  }
  func registeredIdentifiers(of app: AppID, user: UInt32) -> [String] { registered }
  func registrationCount(of user: UInt32) -> Int { registered.count }

  func report(_ location: Location, at now: Instant, locale: String?, hidesOwnPlaces: Bool, wanted: Double) -> LocationReport {
    reports.append((hidesOwnPlaces, locale, wanted))
    return location.report(at: now)
  }
  func prepareAddress(of location: Location, locale: String?, wanted: Double) { prepared += 1 }
  func lookUpAddress(of location: Location, locale: String?, wanted: Double, completion: @escaping () -> Void) {
    if lookUps == nil { completion() } else { lookUps?.append(completion) }
  }
}

extension BeaconConstraint {
  static func beacon(_ minor: Int) -> BeaconConstraint {
    BeaconConstraint(uuid: BeaconUUID(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d), major: 1, minor: UInt16(minor))
  }
}
