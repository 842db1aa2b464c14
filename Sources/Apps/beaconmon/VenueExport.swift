import ArgumentParser
import EventLoop
import Failures
import IMDF
import Instants
import MonitorConfiguration
import ProgramSupport
import Terminal
import Venues

struct VenueExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Create an IMDF archive or GeoJSON from a venue, or a file that places a plan picture on the earth.",
    discussion: """
      Without other options, the result is an archive of the Indoor Mapping Data Format 1.0. Content that an archive has no place for is \
      listed on standard error. Beacons are an extension of the archive, which other programs ignore. The standard requires an address.

      A world file states no reference system: select WGS84 (EPSG:4326). Its extension is that of the picture with a w, such as pgw.

      Examples:
        beaconmon venue export gallery.toml --address "Museumsinsel 1" --locality Munich --country DE
        beaconmon venue export gallery.toml --geojson > gallery.geojson
        beaconmon venue export gallery.toml --plan ground --world-file -o ground.pgw
      """)

  @Argument(help: ArgumentHelp("The venue file.", valueName: "venue"))
  var file: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write to this path; \"-\" is standard output. Default for an archive: the venue file with the extension zip.", valueName: "file"))
  var output: String?

  @Flag(help: "Replace an existing file.")
  var force = false

  @Flag(help: "Write GeoJSON instead of an archive.")
  var geojson = false

  @Option(help: ArgumentHelp("Write the place of this level's picture on the earth.", valueName: "level"))
  var plan: String?

  @Flag(help: "With --plan: a world file, in degrees.")
  var worldFile = false

  @Flag(help: "With --plan: control points for the georeferencer of QGIS.")
  var qgisPoints = false

  @Flag(help: "With --plan: an overlay in KML.")
  var kml = false

  @Option(help: ArgumentHelp("The language of texts that state none. Defaults to the first language of the venue.", valueName: "tag"))
  var language: String?

  @Option(
    help: ArgumentHelp(
      "The category of the venue in IMDF, such as museum or shoppingcenter. Without it, the places of the venue decide.", valueName: "name")
  )
  var category: String?

  @Option(help: ArgumentHelp("The street and number in the address of the venue.", valueName: "text"))
  var address: String?

  @Option(help: ArgumentHelp("The town in the address.", valueName: "text"))
  var locality: String?

  @Option(help: ArgumentHelp("The country in the address, such as DE.", valueName: "code"))
  var country: String?

  func validate() throws {
    let forms = [worldFile, qgisPoints, kml].count { $0 }
    if plan != nil, forms != 1 { throw ValidationError("--plan: add one of --world-file, --qgis-points and --kml") }
    if plan == nil, forms > 0 { throw ValidationError("--world-file, --qgis-points and --kml need --plan with a level") }
    if plan != nil, geojson { throw ValidationError("--geojson and --plan: choose one") }
    let parts = [address, locality, country].count { $0 != nil }
    if parts != 0, parts != 3 { throw ValidationError("an address has three parts: --address, --locality and --country") }
    if let country, country.utf8.count != 2 || !country.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
      throw ValidationError("--country: write the two capital letters of ISO 3166, such as DE")
    }
  }

  func run() throws {
    let venue: Venue
    do throws(ConfigurationError) { venue = try VenueDocument.read(file: file).venue } catch { throw Failure(error) }
    if let plan {
      try write(Array(try text(of: plan, in: venue).utf8), to: output ?? "-")
    } else if geojson {
      let text: String
      do throws(IMDFError) { text = try VenueGeoJSON.text(of: venue) } catch { throw Failure(error, file) }
      try write(Array(text.utf8), to: output ?? "-")
    } else {
      try writeArchive(of: venue)
    }
  }

  private func write(_ octets: [UInt8], to path: String) throws {
    try OutputFile(path: path, replaces: force).write(octets.span.bytes)
  }

  private func writeArchive(of venue: Venue) throws {
    let path = output ?? (file.hasSuffix(".toml") ? String(file.dropLast(5)) : file) + ".zip"
    if path == "-", TerminalOutput.standardOutput.isTerminal {
      throw Failure(.usage, "--output: an archive is not text; write a path such as gallery.zip")
    }
    let place = address.map { IMDFExport.Address(street: $0, locality: locality ?? "", country: country ?? "") }
    let created = Instant(microseconds: WallClock.now.microseconds / 1_000_000 * 1_000_000)
    let export: IMDFExport
    let archive: [UInt8]
    do throws(IMDFError) {
      export = try IMDFExport(venue, created: created, options: .init(language: language, category: category, address: place))
      archive = try export.archive()
    } catch {
      throw Failure(error, file)
    }
    try write(archive, to: path)
    try export.notes.report("\(archive.count) octets written\(path == "-" ? "" : " to \(path)")", file)
  }

  /// Returns the text that places the picture of a level.
  private func text(of plan: String, in venue: Venue) throws -> String {
    guard let level = venue.level(plan) else {
      throw Failure(.usage, "--plan: \(file) has no level \"\(plan)\"; its levels are \(venue.levels.map(\.id).joined(separator: ", "))")
    }
    guard let picture = level.picture else { throw Failure(.config, "\(file): level \"\(plan)\" has no plan; add one with image and size") }
    let name = level.name.text ?? level.id
    guard let text = worldFile ? picture.worldFile : qgisPoints ? picture.qgisPoints : picture.kml(name: name) else {
      throw Failure(.config, "\(file): the plan of level \"\(plan)\" has no anchors; add at least two")
    }
    return text
  }
}
