import Beacons
import ConfigurationTree
import Glibc
import Regions
public import Setup
import TOML
import Venues

/// The changes of setup in a main config file, which keep all other text with its comments and its order.
public struct SetupEdit: SetupConfiguration {
  public let path: String
  /// A missing file counts as an empty one, and is made.
  private let isOptional: Bool
  /// Returns the valid settings of a config that cannot work.
  private let warnings: (ConfigurationDocument) -> [ConfigurationProblem]

  public init(_ path: String, isOptional: Bool, warnings: @escaping (ConfigurationDocument) -> [ConfigurationProblem]) {
    (self.path, self.isOptional, self.warnings) = (path, isOptional, warnings)
  }

  /// Throws if the file cannot be written. Call it before a user answers questions whose result would be lost.
  public func checkWritable() throws(ConfigurationError) {
    let target = realpath(path, nil).map { resolved in
      defer { free(resolved) }
      return String(cString: resolved)
    }
    let folder = ConfigurationFiles.folder(of: target ?? path)
    guard faccessat(AT_FDCWD, folder.isEmpty ? "." : folder, W_OK | X_OK, AT_EACCESS) != 0, errno != ENOENT else { return }
    throw .unwritable(file: path, code: errno)
  }

  /// Returns the parts that the config has already; throws if it is invalid.
  public func present() throws(ConfigurationError) -> SetupSurroundings.Present {
    let configuration = try ConfigurationDocument.read(file: path, isOptional: isOptional).configuration
    var present = SetupSurroundings.Present()
    for region in configuration.regions {
      present.regionNames.insert(region.identifier)
      if let constraint = region.beaconRegion?.constraint { present.constraints.insert(constraint) }
      if case .place(let region) = region, let place = region.area.place { present.places.insert(place) }
    }
    present.actions = configuration.notifier.actions.count
    present.hasVenue = !configuration.venues.isEmpty
    return present
  }

  public func venue(at venuePath: String) throws(SetupRefusal) -> SetupVenue {
    let file = venuePath.hasPrefix("/") ? venuePath : ConfigurationFiles.folder(of: path) + venuePath
    let venue = try refusing { () throws(ConfigurationError) in try VenueDocument.read(file: file).venue }
    let catalogue = Catalogue([venue])
    let names = venue.beacons.compactMap { beacon in catalogue.place(of: beacon.identity).map { (beacon.identity, $0.id) } }
    return SetupVenue(id: venue.id, places: venue.places.map(\.id), beacons: Dictionary(names) { first, _ in first })
  }

  public func review(_ plan: SetupPlan) throws(SetupRefusal) -> SetupReview {
    let (change, document) = try refusing { () throws(ConfigurationError) in try result(of: plan) }
    return SetupReview(text: change.added, warnings: warnings(document).map(\.warningLine))
  }

  /// Writes the config with a plan if it is valid then.
  ///
  /// - Returns: whether the config has actions, which require the notifier.
  public func write(_ plan: SetupPlan) throws(ConfigurationError) -> Bool {
    let (change, document) = try result(of: plan)
    try ConfigurationFile.replace(path, with: change.text)
    return !document.configuration.notifier.actions.isEmpty
  }

  private func refusing<Value>(_ body: () throws(ConfigurationError) -> Value) throws(SetupRefusal) -> Value {
    do throws(ConfigurationError) { return try body() } catch {
      throw SetupRefusal(error.description.split(separator: "\n").map(String.init))
    }
  }

  private func result(of plan: SetupPlan) throws(ConfigurationError) -> (change: Change, document: ConfigurationDocument) {
    let files = try ConfigurationFiles(beside: path)
    let texts = try files.texts(isOptional: isOptional)
    let before = try MergedConfiguration(texts).document()
    let change = try Change(plan, to: texts[0].text, named: path)
    let document = try MergedConfiguration([(path, change.text)] + texts.dropFirst()).documentWithVenues()
    let expected = before.configuration.regions.map(\.identifier) + plan.regions.map(\.name)
    // A drop-in with a region of the same name would change the new one.
    guard Set(document.configuration.regions.map(\.identifier)) == Set(expected), document.configuration.regions.count == expected.count
    else { throw problem("a drop-in has a region with the name of a new one; choose another name") }
    guard plan.venue.map(document.venueFiles.contains) ?? true else {
      throw problem("a drop-in sets venues, which hides the file \(plan.venue?.quoted ?? ""); add it there")
    }
    return (change, document)
  }

  private func problem(_ message: String) -> ConfigurationError {
    .invalid([ConfigurationProblem(file: path, line: nil, column: nil, message: message)])
  }
}

/// The text of a main file with a plan.
private struct Change {
  private(set) var text: String
  /// The new parts alone.
  private(set) var added = ""

  init(_ plan: SetupPlan, to old: String, named name: String) throws(ConfigurationError) {
    text = old
    if let venue = plan.venue { try add(venue: venue, named: name) }
    let tables = Self.tables(of: plan)
    guard !tables.isEmpty else { return }
    let addition = tables.joined(separator: "\n")
    if !text.isEmpty { text += text.hasSuffix("\n") ? "\n" : "\n\n" }
    text += addition
    added += added.isEmpty ? addition : "\n" + addition
  }

  private static func tables(of plan: SetupPlan) -> [String] {
    let adapters = plan.ignoredAdapters.map { "[[adapter]]\naddress = \"\($0)\"\nuse = false\n" }
    let offsets = plan.offsets.sorted { $0.key < $1.key }.map { beacon, offset in
      "[[beacon]]\nuuid = \"\(beacon.uuid)\"\nmajor = \(beacon.major)\nminor = \(beacon.minor)\nrssi-offset = "
        + "\((offset * 10).rounded() / 10)\n"
    }
    let regions = plan.regions.map { region in
      switch region.area {
      case .beacons(let constraint):
        // The reader of the text judges the distance.
        BeaconRegion(identifier: region.name, constraint: constraint).toml + (region.within.map { "within = \($0)\n" } ?? "")
      case .place(let place): "[[region]]\nidentifier = \(region.name.asTOML)\nplace = \(place.asTOML)\n"
      }
    }
    return adapters + offsets + regions + plan.targets.map(table)
  }

  private static func table(of target: SetupPlan.Target) -> String {
    let means =
      switch target {
      case .log: "log = \"{event} {region} at {distance}\""
      case .webhook(let url): "webhook = { url = \(url.asTOML) }"
      case .broker(let host, let port, let isEncrypted):
        "mqtt = { host = \(host.asTOML)\(port.map { ", port = \($0)" } ?? "")\(isEncrypted ? ", tls = true" : ""), discovery = "
          + "\"homeassistant\" }"
      case .command(let words): "command = [\(words.map(\.asTOML).joined(separator: ", "))]"
      }
    return "[[notifier.action]]\n\(means)\n"
  }

  /// Adds a file to `venues`, which becomes the last key above the tables if it is missing.
  private mutating func add(venue: String, named name: String) throws(ConfigurationError) {
    let (nodes, layout): ([String: ConfigurationNode], TOMLLayout)
    do throws(TOMLSyntaxError) { (nodes, layout) = try TOMLParser.layout(of: text) } catch {
      throw .invalid([ConfigurationProblem(file: name, line: error.line, column: error.column, message: error.message)])
    }
    var octets = Array(text.utf8)
    let top = layout.statements.prefix { !$0.isHeader }
    let value = venue.asTOML
    if let node = nodes["venues"] {
      let statement = top.first { octets[$0.octets].starts(with: "venues".utf8) }
      guard let statement, octets[statement.octets.upperBound - 1] == UInt8(ascii: "]") else {
        throw .invalid([
          ConfigurationProblem(
            file: name, line: node.position?.line, column: nil, message: "venues: cannot be extended here; add \(value) with an editor")
        ])
      }
      let isEmpty = if case .list(let elements) = node.value { elements.isEmpty } else { false }
      octets.insert(contentsOf: Array((isEmpty ? value : ", \(value)").utf8), at: statement.octets.upperBound - 1)
      added = "venues: \(value)\n"
    } else {
      let line = "venues = [\(value)]\n"
      added = line
      if let last = top.last {
        let end = octets[last.octets.upperBound...].firstIndex(of: UInt8(ascii: "\n"))
        if let end {
          octets.insert(contentsOf: Array(line.utf8), at: end + 1)
        } else {
          octets += Array("\n\(line)".utf8)
        }
      } else if let header = layout.statements.first {
        let start = layout.table(at: header.position, in: octets)?.lowerBound ?? 0
        octets.insert(contentsOf: Array("\(line)\n".utf8), at: start)
      } else {
        if let last = octets.last, last != UInt8(ascii: "\n") { octets.append(UInt8(ascii: "\n")) }
        octets += Array(line.utf8)
      }
    }
    text = String(decoding: octets, as: UTF8.self)
  }
}
