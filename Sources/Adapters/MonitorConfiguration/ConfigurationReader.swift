import ConfigurationTree
import BeaconAdvertising
import Beacons
import Geodesy
import Instants
import Locations
import Ranging
import Regions
import Venues

/// Converts the top table of a file into a configuration, and reports every problem.
struct ConfigurationReader {
  private var top: TableReader

  init(_ top: TableReader) {
    self.top = top
  }

  /// Returns the document, which is meaningful only if no problem was reported.
  consuming func document() -> ConfigurationDocument {
    var result = Configuration()
    var lines = ConfigurationDocument.Lines()
    result.source = top.read("source", as: .source)
    switch result.source {
    case .capture(let path): top.refer("source", to: .capture(path))
    case .simulator(let path): top.refer("source", to: .scenario(path))
    case nil, .radio, .nothing: break
    }
    if let speed = top.read("capture-speed", as: .number(0.001...1_000_000), default: .number(Configuration().captureSpeed)) {
      result.captureSpeed = speed
    }
    result.adapters = Self.adapters(top.tables("adapter", called: "adapter", TableSeries(identity: ["address"])))
    if let table = top.table("ranging", hasDefaults: true) { result.ranging = Self.ranging(table) }
    result.ranging.beaconOffsets = Self.beaconOffsets(
      top.tables("beacon", called: "beacon", TableSeries(identity: ["uuid", "major", "minor"])))
    let regions = top.tables("region", called: "region", TableSeries(identity: ["identifier"], kinds: RegionReader.kinds))
    let identifiers: Set<String>
    (result.regions, lines.regions, identifiers) = Self.regions(regions, hearsBeacons: result.source != .nothing)
    result.places = Self.places(top.tables("place", called: "place"))
    if let table = top.table("journal", hasDefaults: true) { result.journal = Self.journal(table) }
    let earlierProblems = top.problemCount
    result.transmissions = Self.transmissions(
      top.tables("advertise", called: "advertise", TableSeries(identity: ["uuid", "major", "minor"], optionalIdentity: ["adapter"])))
    if let table = top.table("location") {
      (lines.recordedTrack, lines.receiver) = (table.line(of: "capture"), table.line(of: "nmea"))
      result.location = Self.location(table)
    }
    if let table = top.table("heading", hasDefaults: true) { result.heading = Self.heading(table) }
    if let table = top.table("geocoding") { (lines.geocoding, result.geocoding) = (table.line, Self.geocoding(table)) }
    if let source = result.source, !source.playsWalks, result.location.capture != nil {
      top.report("location", "capture: \(LocationSettings.needsRecording)")
    }
    // An invalid table may be the missing one, and the place of a receiver is found in its venue.
    if result.source == .nothing, !result.worksWithoutBeacons, top.problemCount == earlierProblems, !top.hasContent("receiver") {
      top.report("source", Configuration.hasNothingToDo)
    }
    if let table = top.table("privacy") { result.consentRules = Self.consentRules(table) }
    if let table = top.table("web") { result.web = Self.web(table) }
    if let table = top.table("metrics") { result.metrics = Self.metrics(table, of: .daemon) }
    if let table = top.table("notifier", hasDefaults: true) {
      result.notifier = NotifierReader.notifier(table, regions: identifiers, beacons: result.knownUUIDs)
    }
    if let table = top.table("receiver") { (lines.place, result.receiver) = (table.line, Self.receiver(table)) }
    let health = top.table("beacon-health", hasDefaults: true).map { Self.beaconHealth($0) } ?? ConfiguredBeaconHealth()
    result.beaconHealth = health.settings(hasReceiver: result.receiver != nil)
    let appointments = Self.appointments(top.tables("appointment", called: "appointment"))
    let calendars = top.read("calendar", as: .calendarFiles) ?? []
    lines.calendars = top.line(of: "calendar")
    if let table = top.table("walking") { result.walking = Self.walking(table) }
    lines.venues = top.line(of: "venues")
    let venueFiles = top.read("venues", as: .venueFiles) ?? []
    result.languages = top.read("language", as: .languages) ?? []
    result.required = top.read("require", as: .capabilities) ?? []
    lines.required = top.line(of: "require")
    let (files, references) = (top.files, top.references)
    top.finish()
    return ConfigurationDocument(
      files: files, configuration: result, lines: lines, references: references, venueFiles: venueFiles,
      appointments: appointments, calendarFiles: calendars)
  }
}

// MARK: Adapters

extension ConfigurationReader {
  private static func adapters(_ tables: [TableReader]) -> [AdapterSettings] {
    var adapters: [AdapterSettings] = []
    var firstLines: [BluetoothAddress: SourceLine?] = [:]
    for var table in tables {
      let address = table.require("address", as: .address)
      let isUsed = table.read("use", as: .flag, default: .flag(true))
      let offset = table.read("rssi-offset", as: .rssiOffset)
      if let address, let first = firstLines[address] {
        table.report("address", "is already used by the adapter \(table.reference(to: first)); remove one of them")
      } else if let address {
        firstLines[address] = table.line
        adapters.append(AdapterSettings(address: address, isUsed: isUsed ?? true, rssiOffset: offset ?? 0, isCalibrated: offset != nil))
      }
      table.finish()
    }
    return adapters
  }
}

// MARK: The receiver

extension ConfigurationReader {
  private static func receiver(_ table: consuming TableReader) -> FixedReceiver? {
    let position = table.require("position", as: .point)
    let level = table.read("level", as: .text(example: "ground"))
    let venue = table.read("venue", as: .text(example: "gallery"))
    table.finish()
    return position.map { FixedReceiver(position: $0, level: level, venue: venue) }
  }
}

// MARK: Regions

extension ConfigurationReader {
  /// Returns the valid regions with their lines, and the identifiers of all regions.
  ///
  /// - Parameter hearsBeacons: If false, a beacon region is an error.
  static func regions(_ tables: [TableReader], hearsBeacons: Bool = true) -> ([Region], lines: [SourceLine?], identifiers: Set<String>) {
    var regions: [Region] = []
    var lines: [SourceLine?] = []
    var firstLines: [String: SourceLine?] = [:]
    for var table in tables {
      let identifier = table.require("identifier", as: .identifier, allowsRollouts: true)
      if let identifier {
        table.rename("region \"\(identifier)\"")
        if let first = firstLines[identifier] {
          table.report("identifier", "is already used by the region \(table.reference(to: first)); choose another one")
        } else {
          firstLines[identifier] = table.line(of: "identifier")
        }
      }
      if !hearsBeacons, table.has("uuid") {
        table.report(
          "uuid", "has no effect with source = \"none\", which disables scanning; remove the region, or choose another source")
      }
      if let region = RegionReader.region(&table, identifier: identifier ?? "") {
        regions.append(region)
        lines.append(table.line)
      }
      table.finish()
    }
    return (regions, lines, Set(firstLines.keys))
  }
}

// MARK: Places

extension ConfigurationReader {
  private static func places(_ tables: [TableReader]) -> [NamedCircle] {
    var places: [NamedCircle] = []
    for var table in tables {
      let name = table.require("name", as: .title, allowsRollouts: true)
      if let name = name?.text { table.rename("place \(name.quoted)") }
      let latitude = table.require("latitude", as: .latitude, allowsRollouts: true)
      let longitude = table.require("longitude", as: .number(-180...180), allowsRollouts: true)
      let radius = table.require("radius", as: .number(1...100_000), allowsRollouts: true)
      if let name, let latitude, let longitude, let radius, let center = Coordinate(latitude: latitude, longitude: longitude),
        let circle = Circle(center: center, radius: radius)
      {
        places.append(NamedCircle(name: name, circle: circle))
      }
      table.finish()
    }
    return places
  }
}

// MARK: Journal

extension ConfigurationReader {
  private static func journal(_ table: consuming TableReader) -> JournalSettings {
    var settings = JournalSettings()
    settings.path = table.read("path", as: .absolutePath)
    if let path = settings.path { table.refer("path", to: .journal(path)) }
    let retentions = Span.seconds(3600)...(.seconds(3650 * 86_400))
    if let span = table.read("retention", as: .duration(retentions), default: .text(settings.retention.text)) { settings.retention = span }
    if let size = table.read("size", as: .size((1 << 20)...(1 << 40)), default: .text(settings.size.text)) { settings.size = size }
    table.finish()
    return settings
  }
}

extension ValueDecoder where Value == Double {
  /// An offset in dB.
  static var rssiOffset: ValueDecoder { .number(-40...40) }
}
