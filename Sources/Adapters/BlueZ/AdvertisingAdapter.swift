import DBus

/// An adapter of BlueZ, as far as advertising with it matters.
struct AdvertisingAdapter: Equatable, Sendable {
  /// `/org/bluez/hci0`.
  let path: String
  var facts: AdapterFacts
  /// LEAdvertisingManager1 is there.
  var hasManager: Bool

  init(path: String, facts: AdapterFacts, hasManager: Bool) {
    self.path = path
    self.facts = facts
    self.hasManager = hasManager
  }

  /// Of an object as ObjectManager shows it, `a{sa{sv}}`; nil for what is no adapter.
  init?(path: String, interfaces: DBusValue) {
    guard let facts = AdapterFacts(interfaces: interfaces) else { return nil }
    self.init(path: path, facts: facts, hasManager: interfaces[BlueZName.advertisingManager] != nil)
  }

  var isUsable: Bool { hasManager && facts.isPowered && !facts.isBlocked }

  /// What keeps it from advertising.
  var obstacle: AdvertisingObstacle? {
    if facts.isBlocked { return .blocked(facts.address) }
    if !facts.isPowered { return .off(facts.address) }
    return hasManager ? nil : .incapable(facts.address)
  }
}
