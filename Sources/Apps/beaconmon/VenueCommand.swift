import ArgumentParser
import DBus
import EventLoop
import Failures
import IndoorPositioning
import MonitorClient
import MonitorConfiguration
import ProgramSupport
import Records
import Terminal
import Venues

struct VenueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "venue",
    abstract: "Create, check, show, import, export and store venue files, and manage their offers and learned offsets.",
    discussion: """
      A venue file describes a building: its levels, beacons and places. beaconmon-venue(5) explains it.

      Examples:
        beaconmon venue new ground.png --anchor 120,80=48.13740,11.57520 --anchor 2280,1500=48.13690,11.57610
        beaconmon venue check gallery.toml --map errors.svg
        beaconmon venue show gallery.toml
        beaconmon venue show gallery.toml --svg > gallery.svg
        beaconmon venue import museum.zip -o museum.toml
        beaconmon venue learned
        sudo beaconmon venue reset gallery
        sudo beaconmon venue save gallery.toml
      """,
    subcommands: [
      VenueNew.self, Check.self, Show.self, VenueImport.self, VenueExport.self, VenueLearned.self, VenueAccept.self, VenueRefuse.self,
      VenueReset.self, VenueOffersCommand.self, VenueMute.self, VenueUnmute.self, VenueAllow.self, VenueFiles.self,
      VenueTextCommand.self, VenueHistory.self, VenueSave.self, VenueRemove.self,
    ])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print every error in a venue file, and warn about doubtful parts.",
      discussion: """
        Warnings are for parts that are probably wrong:
          - unknown keys, titles without a translation or with invisible characters
          - beacons in walls, outside the walkable areas, or all in one spot
          - levels that overlap or that voids cover, areas without a way to them, and places that visitors cannot reach
          - anchors that are too close together or contradict the frame, and latitudes in place of longitudes
          - too few beacons for the accuracy that the venue promises
          - pictures and recordings that are missing, and apps that are not installed here

        With --map it also draws the expected error of positions on a level: the radius that holds two thirds of them, by the places of \
        the beacons.

        Exit codes: 0 for a valid venue, 1 for warnings with --strict, 66 if the file cannot be read, 78 for an invalid venue.

        Examples:
          beaconmon venue check gallery.toml
          beaconmon venue check gallery.toml --map errors.svg --level ground
        """)

    @Argument(help: "The venue file.")
    var file: String

    @Flag(help: "Exit with 1 if there are warnings.")
    var strict = false

    @Option(help: ArgumentHelp("Write an SVG picture of the expected position errors to this path.", valueName: "file"))
    var map: String?

    @Option(help: ArgumentHelp("With --map: the level to draw.", valueName: "id"))
    var level: String?

    @Flag(help: "Replace an existing file.")
    var force = false

    func validate() throws {
      if map == nil, level != nil || force { throw ValidationError("--level and --force require --map") }
      if map == "-" { throw ValidationError("--map: the picture cannot go to standard output, which has the warnings; write a path") }
    }

    func run() throws {
      let document = try VenueCommand.read(file)
      if let map { try draw(document.venue, to: map) }
      let venue = document.venue
      let warnings = (document.warnings + document.machineWarnings(environment: ChildCommand.ownEnvironment()))
        .sorted { ($0.line ?? 0) < ($1.line ?? 0) }
      let counts = [(venue.levels.count, "level"), (venue.beacons.count, "beacon"), (venue.places.count, "place")]
      let texts = (counts + (warnings.isEmpty ? [] : [(warnings.count, "warning")])).map { Count.text($0, $1) }
      try TerminalOutput.standardOutput.write(
        "\(file): valid, \(texts.joined(separator: ", "))\n" + warnings.map { $0.warningLine + "\n" }.joined())
      if strict, !warnings.isEmpty { throw ExitCode(1) }
    }

    private func draw(_ venue: Venue, to path: String) throws {
      let levels = venue.levels.filter { level == nil || $0.id == level }
      let names = venue.levels.map(\.id).joined(separator: ", ")
      guard !levels.isEmpty else { throw Failure(.usage, "--level: \(file) has no level \"\(level ?? "")\"; its levels are \(names)") }
      guard levels.count == 1 else { throw Failure(.usage, "--map draws one level; choose one with --level: \(names)") }
      let errors = PositionErrorMap(venue, levels[0])
      try OutputFile(path: path, replaces: force).write(VenueSVG(venue, levels[0], languages: [], errors: errors).text)
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Draw the levels of a venue.",
      discussion: """
        Draws each level in characters, with its places and beacons. With --svg it prints a picture of one level.

        Examples:
          beaconmon venue show gallery.toml
          beaconmon venue show gallery.toml --level ground --svg > ground.svg
        """)

    @Argument(help: "The venue file.")
    var file: String

    @Option(help: ArgumentHelp("Show this level only.", valueName: "id"))
    var level: String?

    @OptionGroup var names: LanguageOptions

    @Flag(help: "Print an SVG picture of one level.")
    var svg = false

    func run() throws {
      let venue = try VenueCommand.read(file).venue
      let levels = venue.levels.filter { level == nil || $0.id == level }
      let ids = venue.levels.map(\.id).joined(separator: ", ")
      guard !levels.isEmpty else { throw Failure(.usage, "--level: \(file) has no level \"\(level ?? "")\"; its levels are \(ids)") }
      let languages = LocalizedText.languages(ofLocale: names.locale ?? "")
      let output = TerminalOutput.standardOutput
      guard svg else {
        let maps = levels.map { VenueMap(venue, $0, languages: languages, style: output.style).lines(width: output.width ?? 80) }
        return try output.write(maps.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n"))
      }
      guard levels.count == 1 else { throw Failure(.usage, "--svg prints one level; choose one with --level: \(ids)") }
      try output.write(VenueSVG(venue, levels[0], languages: languages).text)
    }
  }

  private static func read(_ file: String) throws(Failure) -> VenueDocument {
    do throws(ConfigurationError) { return try VenueDocument.read(file: file) } catch { throw Failure(error) }
  }
}
