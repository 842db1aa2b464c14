import DBus

/// The devices that have a life of their own with this adapter: those that are connected, and those that are bonded and away.
///
/// They set limits to what we may do: nobody's connection is cut to cure a radio, and a scan that never rests keeps a mouse from coming back.
struct CompanionDevices {
  private struct Companion {
    var isBonded = false
    var isConnected = false
    /// BR/EDR devices tell a class of device; LE devices do not have one (Core Specification, Assigned Numbers, 2.8).
    var isClassic = false
  }

  private var companions: [String: Companion] = [:]

  var anyConnected: Bool { companions.values.contains { $0.isConnected } }

  /// A bonded LE device could be trying to come back.
  var anyAway: Bool { companions.values.contains { $0.isBonded && !$0.isConnected && !$0.isClassic } }

  /// `a{sv}` of Device1; what is not in it stays. True when it told anything that matters here.
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
