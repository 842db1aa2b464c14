import BeaconAdvertising
import Beacons
import Instants
import Simulation

// The visitors, beacons and receivers of the venue.

extension ScenarioReader {
  /// Reads the visitors' paths, and the index of each visitor's name among them.
  static func visitors(_ tables: [TableReader]) -> (paths: [VisitorPath], names: [String: Int]) {
    var paths: [VisitorPath] = []
    var names: [String: Int] = [:]
    for var table in tables {
      if let name = table.require("name", as: .name(of: "visitor", example: "anna")) {
        table.rename("visitor \(name.quoted)")
        if names[name] != nil { table.report("name", "is already used by another visitor; choose another one") }
        names[name] = paths.count
      }
      let every = table.read("every", as: .repetition)
      let waypoints = table.tables("path", called: (table.place + ["path"]).joined(separator: ": ")).compactMap(waypoint)
      if waypoints.isEmpty { table.report("path", "requires at least one waypoint, such as { at = \"0s\", place = [0, 0] }") }
      for (earlier, later) in zip(waypoints, waypoints.dropFirst()) where later.at <= earlier.at {
        table.report("path", "goes back in time at \"\(later.at.text)\"; each waypoint must be later than the previous one")
      }
      if let every, let last = waypoints.last, every <= last.at {
        table.report("every", "ends before the path; it must be longer than \"\(last.at.text)\"")
      }
      table.finish()
      paths.append(VisitorPath(waypoints, every: every))
    }
    return (paths, names)
  }

  private static func waypoint(_ table: consuming TableReader) -> VisitorPath.Waypoint? {
    let at = table.require("at", as: .inScenario)
    let place = table.require("place", as: .point)
    table.finish()
    guard let at, let place else { return nil }
    return VisitorPath.Waypoint(at: at, place: place)
  }

  /// Reads `position` or `carried-by`, exactly one of which is required.
  static func position(_ table: inout TableReader, _ visitors: [String: Int]) -> VenuePosition? {
    let position = table.read("position", as: .point)
    let carrier = table.read("carried-by", as: .name(of: "visitor", example: "anna"))
    switch (table.has("position"), table.has("carried-by")) {
    case (true, true): table.report("carried-by", "cannot be combined with position; remove one of them")
    case (false, false): table.report(nil, "has no place; add position or carried-by")
    default: break
    }
    if let position { return .fixed(position) }
    guard let carrier else { return nil }
    if let visitor = visitors[carrier] { return .carried(by: visitor) }
    let advice = NearestName.of(carrier, in: visitors.keys).map { "did you mean \($0.quoted)?" } ?? "define it in a [[visitor]]"
    table.report("carried-by", "there is no visitor \(carrier.quoted); \(advice)")
    return nil
  }

  static func beacons(_ tables: [TableReader], _ visitors: [String: Int]) -> [SimulatedBeacon] {
    var firstLines: [BeaconIdentity: Int?] = [:]
    return tables.compactMap { table in
      var table = table
      let beacon = beacon(&table, visitors)
      if let identity = beacon?.identity {
        if let first = firstLines[identity] { table.report(nil, "is a duplicate of the beacon \(first.inWords); use another minor") }
        firstLines[identity] = firstLines[identity] ?? table.line
      }
      table.finish()
      return beacon
    }
  }

  private static func beacon(_ table: inout TableReader, _ visitors: [String: Int]) -> SimulatedBeacon? {
    let uuid = table.require("uuid", as: .uuid)
    let major = table.require("major", as: .short)
    let minor = table.require("minor", as: .short)
    let position = position(&table, visitors)
    let power = table.read("power", as: .number(-100...20))
    let measuredPower = table.read("measured-power", as: .integer(-128...127))
    let interval = table.read("interval", as: .advertisingInterval)
    let jitter = table.read("jitter", as: .duration(.zero ... .seconds(10)))
    let loss = loss(&table)
    let death = table.read("dies-at", as: .inScenario)
    guard let uuid, let major, let minor, let position else { return nil }
    return SimulatedBeacon(
      identity: BeaconIdentity(uuid: uuid, major: major, minor: minor), position: position,
      power: power ?? SimulatedBeacon.defaultPower, measuredPower: measuredPower.map { Int8(truncatingIfNeeded: $0) },
      interval: interval ?? SimulatedBeacon.defaultInterval, jitter: jitter ?? SimulatedBeacon.defaultJitter, loss: loss,
      batteryDeath: death)
  }

  static func receivers(_ tables: [TableReader], _ visitors: [String: Int]) -> [Receiver] {
    tables.compactMap { table in
      var table = table
      let position = position(&table, visitors)
      let adapters = table.read("adapters", as: .integer(1...8))
      let offset = table.read("rssi-offset", as: .rssiOffset)
      let sensitivity = table.read("sensitivity", as: .number(-127 ... -20))
      table.finish()
      return position.map {
        Receiver(
          position: $0, adapters: adapters ?? 1, offset: offset ?? 0, sensitivity: sensitivity ?? Receiver.defaultSensitivity)
      }
    }
  }
}
