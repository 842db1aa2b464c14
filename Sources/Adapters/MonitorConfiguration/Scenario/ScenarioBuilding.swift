import BeaconAdvertising
import Beacons
import Diagnostics
import Instants
import Simulation
import Venues

/// The properties of the beacons of a venue file, which does not state them.
struct VenueBeacons {
  var interval = SimulatedBeacon.defaultInterval
  var jitter = SimulatedBeacon.defaultJitter
  var loss: BurstLoss?
}

/// Reads the walls, visitors, beacons and receivers of a scenario, on the levels of its venue.
struct ScenarioBuilding {
  let venue: Venue?
  /// The indices of the visitors by their names.
  var visitors: [String: Int] = [:]

  init(_ venue: Venue? = nil) {
    self.venue = venue
  }

  /// The level of parts that name none: the only one, or the ground floor.
  private var defaultLevel: String {
    guard let venue else { return VenueLevel.defaultID }
    return (venue.levels.first { $0.ordinal == 0 } ?? venue.levels[0]).id
  }

  /// Returns the id of the level of a table; nil if it was reported.
  func level(_ table: inout TableReader) -> String? {
    let id = table.read("level", as: .text(example: "ground"))
    guard table.has("level") else { return defaultLevel }
    guard let id else { return nil }
    guard let venue else {
      table.report("level", "requires a venue, which has the levels; add venue = \"gallery.toml\" at the top")
      return nil
    }
    if venue.level(id) != nil { return id }
    let names = venue.levels.map(\.id)
    let advice = NearestName.of(id, in: names).map { "did you mean \($0.quoted)?" } ?? "its levels are \(names.joined(separator: ", "))"
    table.report("level", "the venue has no level \(id.quoted); \(advice)")
    return nil
  }

  func ordinal(_ level: String?) -> Int { level.flatMap { venue?.level($0)?.ordinal } ?? 0 }

  func wall(_ table: consuming TableReader) -> VenueWall? {
    let level = level(&table)
    let from = table.require("from", as: .point)
    let to = table.require("to", as: .point)
    let attenuation = table.require("attenuation", as: .number(0...100))
    table.finish()
    guard let level, let from, let to, let attenuation else { return nil }
    return VenueWall(level: level, from: from, to: to, attenuation: attenuation)
  }
}

// MARK: Beacons and receivers

extension ScenarioBuilding {
  /// Reads `position` or `carried-by`, exactly one of which is required.
  func position(_ table: inout TableReader, default planned: PlannedBeacon? = nil) -> VenuePosition? {
    let position = table.read("position", as: .point)
    let carrier = table.read("carried-by", as: .name(of: "visitor", example: "anna"))
    let level = level(&table)
    switch (table.has("position"), table.has("carried-by")) {
    case (true, true): table.report("carried-by", "cannot be combined with position; remove one of them")
    case (false, false):
      if let planned { return .fixed(planned.position, level: ordinal(planned.level)) }
      table.report(nil, "has no place; add position or carried-by")
    case (false, true):
      if table.has("level") { table.report("level", "has no effect with carried-by; the path of the visitor has the levels") }
    default: break
    }
    if let position { return .fixed(position, level: ordinal(level)) }
    guard let carrier else { return nil }
    if let visitor = visitors[carrier] { return .carried(by: visitor) }
    let advice = NearestName.of(carrier, in: visitors.keys).map { "did you mean \($0.quoted)?" } ?? "define it in a [[visitor]]"
    table.report("carried-by", "there is no visitor \(carrier.quoted); \(advice)")
    return nil
  }

  /// Returns the beacons of the venue, except some.
  func plannedBeacons(_ settings: VenueBeacons, except others: Set<BeaconIdentity>) -> [SimulatedBeacon] {
    (venue?.beacons ?? []).filter { !others.contains($0.identity) }.map { beacon in
      SimulatedBeacon(
        identity: beacon.identity, position: .fixed(beacon.position, level: ordinal(beacon.level)), height: Self.height(beacon),
        power: beacon.power ?? SimulatedBeacon.defaultPower, interval: settings.interval, jitter: settings.jitter, loss: settings.loss)
    }
  }

  private static func height(_ beacon: PlannedBeacon) -> Double { beacon.height ?? SimulatedBeacon.usualHeight }

  /// Reads the beacons of the scenario. A beacon of the venue hangs where the venue says, unless the table says otherwise.
  func beacons(_ tables: [TableReader]) -> [SimulatedBeacon] {
    var firstLines: [BeaconIdentity: SourceLine?] = [:]
    let planned = Dictionary((venue?.beacons ?? []).map { ($0.identity, $0) }) { first, _ in first }
    return tables.compactMap { table in
      var table = table
      let beacon = beacon(&table, planned)
      if let identity = beacon?.identity {
        if let first = firstLines[identity] {
          table.report(nil, "is a duplicate of the beacon \(table.reference(to: first)); use another minor")
        }
        firstLines[identity] = firstLines[identity] ?? table.line
      }
      table.finish()
      return beacon
    }
  }

  private func beacon(_ table: inout TableReader, _ planned: [BeaconIdentity: PlannedBeacon]) -> SimulatedBeacon? {
    let uuid = table.require("uuid", as: .uuid)
    let major = table.require("major", as: .short)
    let minor = table.require("minor", as: .short)
    var identity: BeaconIdentity?
    if let uuid, let major, let minor { identity = BeaconIdentity(uuid: uuid, major: major, minor: minor) }
    let plan = identity.flatMap { planned[$0] }
    let position = position(&table, default: plan)
    let height = table.read("height", as: .number(-100...1000))
    let power = table.read("power", as: .number(-100...20))
    let measuredPower = table.read("measured-power", as: .integer(-128...127))
    let interval = table.read("interval", as: .advertisingInterval)
    let jitter = table.read("jitter", as: .duration(.zero ... .seconds(10)))
    let loss = ScenarioReader.loss(&table)
    let death = table.read("dies-at", as: .inScenario)
    guard let identity, let position else { return nil }
    return SimulatedBeacon(
      identity: identity, position: position, height: height ?? plan.map(Self.height) ?? 0,
      power: power ?? plan?.power ?? SimulatedBeacon.defaultPower, measuredPower: measuredPower.map { Int8(truncatingIfNeeded: $0) },
      interval: interval ?? SimulatedBeacon.defaultInterval, jitter: jitter ?? SimulatedBeacon.defaultJitter, loss: loss,
      batteryDeath: death)
  }

  func receivers(_ tables: [TableReader]) -> [Receiver] {
    tables.compactMap { table in
      var table = table
      let position = position(&table)
      let height = table.read("height", as: .number(-100...1000))
      let adapters = table.read("adapters", as: .integer(1...8))
      let offset = table.read("rssi-offset", as: .rssiOffset)
      let sensitivity = table.read("sensitivity", as: .number(-127 ... -20))
      let loss = ScenarioReader.loss(&table)
      let duty = duty(&table)
      table.finish()
      return position.map {
        Receiver(
          position: $0, height: height ?? (venue == nil ? 0 : Receiver.carriedHeight), adapters: adapters ?? 1, offset: offset ?? 0,
          sensitivity: sensitivity ?? Receiver.defaultSensitivity, loss: loss ?? .none, duty: duty)
      }
    }
  }

  /// Reads the scan window and the scan interval, which belong together.
  private func duty(_ table: inout TableReader) -> ScanDuty? {
    let range = ValueDecoder<Span>.duration(.milliseconds(1)...(.seconds(3600)))
    let window = table.read("scan-window", as: range)
    let interval = table.read("scan-interval", as: range)
    for (key, need) in [("scan-window", "scan-interval"), ("scan-interval", "scan-window")] where table.has(key) && !table.has(need) {
      table.report(key, "requires \(need)")
    }
    guard let window, let interval else { return nil }
    if window > interval { table.report("scan-window", "must not be longer than scan-interval") }
    return ScanDuty(window: window, interval: interval)
  }
}
