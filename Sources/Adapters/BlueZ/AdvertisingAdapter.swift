import BeaconAdvertising
import DBus
import Instants

/// An adapter of BlueZ, as far as advertising with it matters.
struct AdvertisingAdapter: Equatable, Sendable {
  /// `/org/bluez/hci0`.
  let path: String
  var facts: AdapterFacts
  /// LEAdvertisingManager1 is there.
  var hasManager: Bool
  /// Each advertisement has an address and an interval of its own; with Bluetooth 5.
  var isExtended = false
  /// BlueZ looks at intervals and transmit power; 5.66 does so only with `bluetoothd --experimental`.
  var takesParameters = false
  /// The controller does as it is told there.
  var setsTransmitPower = false
  /// Advertisements that BlueZ holds, of all programs.
  var activeInstances: UInt8 = 0

  init(path: String, facts: AdapterFacts, hasManager: Bool) {
    self.path = path
    self.facts = facts
    self.hasManager = hasManager
  }

  /// Of an object as ObjectManager shows it, `a{sa{sv}}`; nil for what is no adapter.
  init?(path: String, interfaces: DBusValue) {
    guard let facts = AdapterFacts(interfaces: interfaces) else { return nil }
    self.init(path: path, facts: facts, hasManager: false)
    update(interfaces)
  }

  /// Of what came with or after the adapter, `a{sa{sv}}`.
  mutating func update(_ interfaces: DBusValue) {
    guard let manager = interfaces[BlueZName.advertisingManager] else { return }
    hasManager = true
    updateManager(manager)
    isExtended = manager["SupportedSecondaryChannels"] != nil
    takesParameters = manager["SupportedFeatures"] != nil
    setsTransmitPower = manager["SupportedFeatures"]?.strings?.contains("CanSetTxPower") == true
  }

  /// Of what changed, `a{sv}`.
  mutating func update(_ properties: DBusValue, of interface: String) {
    if interface == BlueZName.adapter { facts.update(properties) } else { updateManager(properties) }
  }

  private mutating func updateManager(_ properties: DBusValue) {
    if case .byte(let count)? = properties["ActiveInstances"] { activeInstances = count }
  }

  var isUsable: Bool { hasManager && facts.isPowered && !facts.isBlocked }

  /// What keeps it from advertising.
  var obstacle: AdvertisingObstacle? {
    if facts.isBlocked { return .blocked(facts.address) }
    if !facts.isPowered { return .off(facts.address) }
    return hasManager ? nil : .incapable(facts.address)
  }

  /// How long it really is from one advertisement to the next. Linux 6.1 takes what is asked for extended advertising only, and where nothing
  /// is asked 1.28 s; without it, it takes its own for all that nobody can connect to.
  func intervals(of transmission: BeaconTransmission) -> ClosedRange<Span> {
    guard isExtended else { return .milliseconds(100) ... .milliseconds(150) }
    return takesParameters ? transmission.interval...transmission.interval : .milliseconds(1280) ... .milliseconds(1280)
  }

  /// What is not as it was asked for, and what can be done.
  func notes(on transmission: BeaconTransmission) -> [String] {
    var notes: [String] = []
    let real = intervals(of: transmission)
    if isExtended, !real.contains(transmission.interval) {
      notes.append("BlueZ sends it every \(real.lowerBound.text) only; start bluetoothd with --experimental, or take a newer BlueZ")
    } else if !real.contains(transmission.interval) {
      notes.append("it is sent every \(real.lowerBound.text) to \(real.upperBound.text): the adapter has no extended advertising")
    }
    // The kernel gives each an address of its own, which it cannot while the controller scans: none of them is sent then.
    if !isExtended, activeInstances > 1 {
      notes.append(
        "the adapter alternates between \(activeInstances) advertisements, and cannot while it scans; give each an adapter of its own")
    }
    if transmission.transmitPower != nil, !setsTransmitPower { notes.append("the transmit power of this adapter cannot be set here") }
    return notes
  }
}
