import BeaconAdvertising
import Beacons
import Events
import Foundation
import Locations
import Ranging
import Records
import ShareReports
import Status
import TestSupport
import Testing
import Venues

/// The tables of Docs/dbus against the keys of the values.
@Suite struct StatusDocumentTests {
  @Test func `the tables of properties have every key with its type`() throws {
    let manager = types(of: MonitorStatus.self, except: ["adapters", "regions", "locationServicesEnabled", "consentNote"])
    // Texts in an array are in no record.
    #expect(try rows("Manager.md", below: "## Properties").filter { $0.key != "EarlierJournals" } == manager)
    #expect(try rows("Adapter.md", below: "## Properties") == types(of: AdapterStatus.self))
    // `RequestState` has the location of a circle.
    #expect(try rows("Region.md", below: "## Properties") == types(of: RegionStatus.self, except: ["location"]))
    #expect(try rows("Privacy.md", below: "## Properties") == types(of: LocationServicesStatus.self))
  }

  @Test func `the tables of records have every key with its type`() throws {
    #expect(try rows("Manager.md", below: "### Location sources") == types(of: LocationSourceStatus.self, isProperty: false))
    #expect(try rows("Session.md", below: "**Ranged(") == types(of: BeaconReport.self, isProperty: false))
    #expect(try rows("Session.md", below: "**ReportReception(") == types(of: BeaconReception.self, isProperty: false))
    #expect(try rows("Session.md", below: "**Scanned(") == types(of: ScanReport.self, isProperty: false))
    #expect(try rows("Session.md", below: "## Records of a scan") == types(of: ScanReport.Group.self, isProperty: false))
    #expect(try rows("Session.md", below: "**LocationUpdated") == types(of: LocationReport.self, isProperty: false))
    #expect(try rows("Venue.md", below: "## Places") == types(of: PlaceReport.self, isProperty: false))
    #expect(try rows("Venue.md", below: "## Plans") == types(of: PlanReport.self, isProperty: false))
  }

  @Test func `the rows of records in a table name every key inside`() throws {
    let manager = try text("Manager.md")
    func expect<Value: RecordRepresentable>(_ property: String, _: Value.Type) {
      let row = manager.split(separator: "\n").first { $0.hasPrefix("| `\(property)` |") } ?? ""
      for field in Value.fields { #expect(row.contains("`\(field.key)`"), "\(field.key) of \(property)") }
    }
    expect("RefusedReload", MonitorStatus.RefusedReload.self)
    expect("Configuration", MonitorStatus.Configuration.self)
    expect("Configuration", MonitorStatus.Configuration.File.self)
    expect("Advertisements", AdvertisedBeacon.self)
    expect("Registrations", RegistrationCounts.self)
    expect("LocationSwitches", LocationSwitch.self)
    expect("Venues", VenueStatus.self)
    expect("Venues", VenueStatus.Receiver.self)
    expect("Statistics", AdvertisementStatistics.self)
    expect("lines", LineStatistics.self)
    expect("heading", HeadingReport.self)
  }

  @Test func `the answers about shares name every key`() throws {
    let sharing = try text("Sharing.md")
    func expect<Value: RecordRepresentable>(_ method: String, _: Value.Type) throws {
      let paragraph = try #require(sharing.split(separator: "\n\n").first { $0.hasPrefix("**\(method)()") })
      for field in Value.fields { #expect(paragraph.contains("`\(field.key)`"), "\(field.key) of \(method)") }
    }
    try expect("Shares", OwnShareReport.self)
    try expect("Shares", OwnShareReport.Recipient.self)
    try expect("Friends", FriendReport.Values.self)
  }

  @Test func `the answers about privacy have every key with its type`() throws {
    #expect(try answer("Decisions") == types(of: PrivacyStatus.Decision.self, isProperty: false))
    #expect(try answer("Requests") == types(of: PrivacyStatus.Request.self, isProperty: false))
    #expect(try answer("Uses") == types(of: PrivacyStatus.Use.self, isProperty: false))
    #expect(try answer("Registrations") == types(of: PrivacyStatus.Registration.self, isProperty: false))
  }

  // MARK: Reading

  private func text(_ page: String) throws -> String {
    try String(contentsOfFile: Fixture.repository("Docs/dbus/\(page)"), encoding: .utf8)
  }

  /// The types of the keys, by key or by property on the bus.
  private func types<Value: RecordRepresentable>(
    of: Value.Type, except others: Set<String> = [], isProperty: Bool = true
  ) -> [String: String] {
    let fields = Value.fields.filter { !others.contains($0.key) }
    return Dictionary(
      fields.map { (isProperty ? $0.key.prefix(1).uppercased() + $0.key.dropFirst() : $0.key, $0.signature) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Reads the first table after a line that begins with the title.
  private func rows(_ page: String, below title: String) throws -> [String: String] {
    let lines = try text(page).split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix(title) }
    let table = lines.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    var types: [String: String] = [:]
    for row in table where row.hasPrefix("| `") {
      let cells = row.split(separator: "|")
      let (names, signatures) = (spans(cells[0]), spans(cells[1]))
      for (index, name) in names.enumerated() { types[name] = signatures.count >= names.count ? signatures[index] : signatures.first }
    }
    return types
  }

  /// Reads the keys of an answer: each group of names before a parenthesis that begins with a type.
  private func answer(_ method: String) throws -> [String: String] {
    let lines = try text("Privacy.md").split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("**\(method)()") }
    let paragraph = lines.dropFirst().prefix { !$0.isEmpty }.joined(separator: " ")
    var types: [String: String] = [:]
    var rest = paragraph[...]
    while let open = rest.firstRange(of: "(`"), let close = rest[open.upperBound...].firstIndex(of: ")") {
      let type = rest[open.upperBound...].prefix { $0 != "`" }
      for name in spans(rest[..<open.lowerBound]) { types[name] = String(type) }
      rest = rest[close...].dropFirst()
    }
    return types
  }

  private func spans(_ text: Substring) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
