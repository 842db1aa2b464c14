import BeaconAdvertising
import DBus
import Instants

/// The properties of a BlueZ adapter that advertising depends on.
struct AdvertisingAdapter: Equatable, Sendable {
  /// The object path, such as `/org/bluez/hci0`.
  let path: String
  var facts: AdapterFacts
  /// Whether LEAdvertisingManager1 exists.
  var hasManager: Bool
  /// Whether each advertisement has its own address and interval, as with Bluetooth 5.
  var isExtended = false
  /// Whether BlueZ applies intervals and transmit power; 5.66 does so only with `bluetoothd --experimental`.
  var takesParameters = false
  /// Whether the controller applies a requested transmit power.
  var setsTransmitPower = false
  /// The number of advertisements that BlueZ holds, of all programs.
  var activeInstances: UInt8 = 0

  init(path: String, facts: AdapterFacts, hasManager: Bool) {
    self.path = path
    self.facts = facts
    self.hasManager = hasManager
  }

  /// Parses an object as ObjectManager shows it, `a{sa{sv}}`; nil for an object that is not an adapter.
  init?(path: String, interfaces: DBusValue) {
    guard let facts = AdapterFacts(interfaces: interfaces) else { return nil }
    self.init(path: path, facts: facts, hasManager: false)
    update(interfaces)
  }

  /// Updates from the interfaces that came with or after the adapter, `a{sa{sv}}`.
  mutating func update(_ interfaces: DBusValue) {
    guard let manager = interfaces[BlueZName.advertisingManager] else { return }
    hasManager = true
    updateManager(manager)
    isExtended = manager["SupportedSecondaryChannels"] != nil
    takesParameters = manager["SupportedFeatures"] != nil
    setsTransmitPower = manager["SupportedFeatures"]?.strings?.contains("CanSetTxPower") == true
  }

  /// Updates from changed properties, `a{sv}`.
  mutating func update(_ properties: DBusValue, of interface: String) {
    if interface == BlueZName.adapter { facts.update(properties) } else { updateManager(properties) }
  }

  private mutating func updateManager(_ properties: DBusValue) {
    if case .byte(let count)? = properties["ActiveInstances"] { activeInstances = count }
  }

  var isUsable: Bool { hasManager && facts.isPowered && !facts.isBlocked }

  /// The reason why the adapter cannot advertise; nil if it can.
  var obstacle: AdvertisingObstacle? {
    if facts.isBlocked { return .blocked(facts.address) }
    if !facts.isPowered { return .off(facts.address) }
    return hasManager ? nil : .incapable(facts.address)
  }

  /// Returns the range of the real time from one advertisement to the next.
  /// Linux 6.1 applies a requested interval only with extended advertising, where it defaults to 1.28 s. Without extended advertising,
  /// Linux uses its own interval for all non-connectable advertisements.
  func intervals(of transmission: BeaconTransmission) -> ClosedRange<Span> {
    guard isExtended else { return .milliseconds(100) ... .milliseconds(150) }
    return takesParameters ? transmission.interval...transmission.interval : .milliseconds(1280) ... .milliseconds(1280)
  }

  /// Returns the deviations from the request, and their remedies.
  func notes(on transmission: BeaconTransmission) -> [String] {
    var notes: [String] = []
    let real = intervals(of: transmission)
    if isExtended, !real.contains(transmission.interval) {
      notes.append(
        "BlueZ uses an interval of \(real.lowerBound.text); for others, start bluetoothd with --experimental, or install a newer BlueZ")
    } else if !real.contains(transmission.interval) {
      notes.append("the interval is \(real.lowerBound.text) to \(real.upperBound.text), because the adapter has no extended advertising")
    }
    // The kernel gives each advertisement its own address, which it cannot do during a scan: then it sends none of them.
    if !isExtended, activeInstances > 1 {
      notes.append(
        "the adapter alternates between \(activeInstances) advertisements, which is impossible while it scans; use an adapter for each")
    }
    if transmission.transmitPower != nil, !setsTransmitPower { notes.append("this adapter does not support --transmit-power") }
    return notes
  }
}
