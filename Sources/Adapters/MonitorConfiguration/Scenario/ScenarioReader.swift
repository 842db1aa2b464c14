import Events
import Instants
import Regions
import Simulation
import Venues

/// Converts the top table of a scenario's file into a scenario, and reports every problem.
struct ScenarioReader {
  private var top: TableReader
  /// The building of the scenario.
  private var building = ScenarioBuilding()

  init(_ top: TableReader) {
    self.top = top
  }

  /// Returns the scenario, which is meaningful only if no problem was reported.
  consuming func scenario() -> Scenario {
    let name = top.require("name", as: .name(of: "scenario", example: "quiet shop"))
    let duration = top.require("duration", as: .duration(.seconds(1)...(.seconds(366 * 86_400))))
    var result = Scenario(name: name ?? "", duration: duration ?? .zero)
    if let span = top.read("score-from", as: .inScenario) { result.scoredFrom = span }
    if let duration, result.scoredFrom >= duration { top.report("score-from", "must be shorter than the duration") }
    if let path = top.read("venue", as: .text(example: "gallery.toml")) { readVenue(path, into: &result) }
    let venueBeacons = top.table("venue-beacons").flatMap(Self.venueBeacons)
    if top.has("venue-beacons"), !top.has("venue") { top.report("venue-beacons", "requires venue, which has the beacons") }
    if let table = top.table("radio") { result.radio = Self.radio(table) }
    if let table = top.table("ranging") { result.ranging = ConfigurationReader.ranging(table) }
    result.walls += top.tables("wall", called: "wall").compactMap(building.wall)
    let visitors = building.visitors(top.tables("visitor", called: "visitor"), &result)
    building.visitors = visitors
    let own = building.beacons(top.tables("beacon", called: "beacon"))
    result.beacons = building.plannedBeacons(venueBeacons ?? VenueBeacons(), except: Set(own.map(\.identity))) + own
    result.receivers = building.receivers(top.tables("receiver", called: "receiver"))
    if let table = top.table("earth") { result.site = Self.site(table) }
    if let table = top.table("positioning") {
      if result.site == nil, !top.has("earth") {
        top.report("positioning", "requires [earth], or a venue with a [frame], on which it reports locations")
      }
      result.positioning = building.positioning(table)
    }
    if result.receivers.isEmpty && !top.has("receiver") && !top.has("positioning") {
      top.report(nil, "missing key \"receiver\"; add a [[receiver]] for beacons, or [positioning] for locations")
    }
    if let table = top.table("crowd") { result.crowd = Self.crowd(table) }
    result.faults = Self.outages(top.tables("outage", called: "outage"), adapters: result.adapterCount)
    result.faults += Self.restarts(top.tables("restart", called: "restart"))
    result.faults += Self.clockSteps(top.tables("clock-step", called: "clock-step"))
    if top.has("positioning-outage"), !top.has("positioning") {
      top.report("positioning-outage", "requires [positioning]")
    }
    result.faults += Self.positionOutages(top.tables("positioning-outage", called: "positioning-outage"))
    result.regions = ConfigurationReader.regions(top.tables("region", called: "region")).0
    if result.regions.contains(where: { $0.kind == .circle }), result.site == nil && !top.has("earth") || !top.has("positioning") {
      top.report("region", "has a circle, which requires a location; add [earth] and [positioning]")
    }
    checkPlaces(of: result)
    top.finish()
    return result
  }
}

// MARK: The venue

extension ScenarioReader {
  /// Reads the venue file, relative to the folder of the scenario.
  /// Its walls and its place on the earth become those of the scenario.
  private mutating func readVenue(_ path: String, into result: inout Scenario) {
    let folder = top.file.lastIndex(of: "/").map { String(top.file[...$0]) } ?? ""
    let file = path.hasPrefix("/") ? path : folder + path
    do throws(ConfigurationError) {
      let venue = try VenueDocument.read(file: file).venue
      (result.venue, result.venueFile) = (venue, file)
      result.walls = venue.walls
      result.site = venue.frame.map { VenueSite(origin: $0.origin, bearing: $0.bearing) }
      building = ScenarioBuilding(venue)
    } catch {
      switch error {
      case .invalid(let problems): top.report(problems)
      case .unreadable, .unwritable: top.report("venue", "\(error)")
      }
    }
  }

  /// Reports place regions that the venue does not have.
  private func checkPlaces(of scenario: Scenario) {
    for region in scenario.regions.compactMap(\.placeRegion) {
      guard let venue = scenario.venue else {
        if !top.has("venue") {
          top.report("region", "\(region.identifier.quoted) is a place, which requires a venue; add venue = \"gallery.toml\"")
        }
        continue
      }
      let isThere =
        switch region.area.part {
        case .place(let id): venue.places.contains { $0.id == id }
        case .level(let id): venue.level(id) != nil
        case .whole: true
        }
      if !isThere || region.area.venue.map({ $0 != venue.id }) == true {
        top.report("region", "\(region.identifier.quoted) is a place that the venue \(venue.id.quoted) does not have")
      }
    }
  }

  private static func venueBeacons(_ table: consuming TableReader) -> VenueBeacons? {
    var settings = VenueBeacons()
    if let interval = table.read("interval", as: .advertisingInterval) { settings.interval = interval }
    if let jitter = table.read("jitter", as: .duration(.zero ... .seconds(10))) { settings.jitter = jitter }
    settings.loss = loss(&table)
    table.finish()
    return settings
  }
}

// MARK: The air

extension ScenarioReader {
  private static func radio(_ table: consuming TableReader) -> RadioModel {
    var radio = RadioModel()
    if let exponent = table.read("path-loss-exponent", as: .number(1...6)) { radio.pathLossExponent = exponent }
    if let sigma = table.read("shadowing", as: .number(0...20)) { radio.shadowing = sigma }
    if let distance = table.read("shadowing-distance", as: .number(0.1...100)) { radio.shadowingDistance = distance }
    if let attenuation = table.read("floor-attenuation", as: .number(0...100)) { radio.floorAttenuation = attenuation }
    if let spread = table.read("beacon-spread", as: .number(0...20)) { radio.beaconSpread = spread }
    if let factor = table.read("fading-factor", as: .number(0...1000)) { radio.fading = RicianFading(factor: factor) }
    if let loss = loss(&table) { radio.loss = loss }
    table.finish()
    return radio
  }

  /// Returns the loss of packets; nil if the table has none.
  static func loss(_ table: inout TableReader) -> BurstLoss? {
    let loss = table.read("loss", as: .number(0...0.99))
    let burst = table.read("burst", as: .duration(.milliseconds(10)...(.seconds(86_400))))
    let burstLoss = table.read("burst-loss", as: .number(0.01...1))
    for (key, need) in [("burst", "loss"), ("burst-loss", "burst")] where table.has(key) && !table.has(need) {
      table.report(key, "requires \(need)")
    }
    if let loss, loss >= burstLoss ?? 1 {
      table.report("burst-loss", "must be greater than loss")
    }
    return loss.map { BurstLoss(loss: $0, burst: burst, burstLoss: burstLoss ?? 1) }
  }

  private static func crowd(_ table: consuming TableReader) -> Crowd? {
    let devices = table.require("devices", as: .integer(1...100_000))
    let interval = table.read("interval", as: .advertisingInterval)
    let from = table.require("from", as: .point)
    let to = table.require("to", as: .point)
    table.finish()
    guard let devices, let from, let to else { return nil }
    return Crowd(devices: devices, interval: interval ?? Crowd.defaultInterval, from: from, to: to)
  }
}

extension Scenario {
  /// Reads a file of at most 1 MiB. Errors name it as `file` does.
  public static func read(file: String) throws(ConfigurationError) -> Scenario {
    try parse(text: ConfigurationFile.text(of: file), name: file)
  }

  /// Reads a scenario from text.
  ///
  /// - Parameter name: The name of the text in errors.
  public static func parse(text: String, name: String) throws(ConfigurationError) -> Scenario {
    try TableReader.read(text, name: name) { ScenarioReader($0).scenario() }
  }

  /// Returns the configuration of a daemon that plays the scenario: its regions and its venue.
  ///
  /// - Parameter path: the absolute path of the venue file; nil without a venue.
  public func configuration(venue path: String?) -> String {
    (path.map { ["venues = [\($0.asTOML)]\n"] } ?? []).joined() + regions.map(\.toml).joined(separator: "\n")
  }
}
