import DBus

/// The devices that use this adapter for their own purposes: connected ones, and bonded ones that are away.
///
/// They limit the recovery of an adapter: the source cuts no connection to repair one, and pauses its scan so that a mouse can reconnect.
struct CompanionDevices {
  private struct Companion {
    var isBonded = false
    var isConnected = false
    /// Whether the device is BR/EDR: only those have a class of device (Core Specification, Assigned Numbers, 2.8).
    var isClassic = false
  }

  private var companions: [String: Companion] = [:]

  var anyConnected: Bool { companions.values.contains { $0.isConnected } }

  /// Whether a bonded LE device could be trying to reconnect.
  var anyAway: Bool { companions.values.contains { $0.isBonded && !$0.isConnected && !$0.isClassic } }

  /// Updates from `a{sv}` of Device1 and returns whether a relevant property was in it; missing properties keep their values.
  mutating func update(_ device: String, _ properties: DBusValue) -> Bool {
    // BlueZ before 5.65 has no Bonded.
    let bonded = properties["Bonded"]?.boolean ?? properties["Paired"]?.boolean
    let connected = properties["Connected"]?.boolean
    let isClassic = properties["Class"] != nil
    guard bonded != nil || connected != nil || isClassic else { return false }
    var companion = companions[device] ?? Companion()
    companion.isBonded = bonded ?? companion.isBonded
    companion.isConnected = connected ?? companion.isConnected
    companion.isClassic = companion.isClassic || isClassic
    companions[device] = companion.isBonded || companion.isConnected ? companion : nil
    return true
  }

  mutating func remove(_ device: String) {
    companions[device] = nil
  }
}
