import ArgumentParser
import Failures
import Glibc
import Instants
import MonitorConfiguration
import ProgramSupport
import Records
import Scoring
import Surveys
import Terminal
import Venues

struct SurveyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "survey",
    abstract: "Walk past all beacons, and judge each of them.",
    discussion: """
      Walk past every beacon with this device. For each beacon, the command measures the rate, the loss, the spread of the RSSI, the \
      interval and its jitter. It compares the beacons with the expected ones: those of the config, of --venue, or of a list in --expect. \
      Missing and unexpected beacons, two that share their numbers, and a wrong power at 1 m are reported.

      On a terminal this is a screen with keys: arrows select a beacon and Enter shows it in full, ? lists all keys, and q ends the walk. In \
      a pipe the walk ends after --duration, or with Ctrl-C. Then the report follows. With --output, it also goes to NAME.json, and with \
      plots to the page NAME.html. If a file cannot be written, the command asks for another name, so that no walk is lost.

      With a capture from "beaconmon record", there is no walk, and the report is the same.

      A list is CSV with the columns uuid, major and minor, and optionally name and measured_power.

      Exit codes: 0 for a report with any findings, 65 for a wrong list, 69 if no beacon was heard, 74 if a file cannot be written.

      Examples:
        beaconmon survey --output gallery
        beaconmon survey --expect list.csv --closest 1
        beaconmon survey walk.btsnoop --venue gallery.toml --json
      """)

  @Argument(help: "Survey this btsnoop capture instead of walking; \"-\" is standard input.")
  var capture: String?

  @Option(help: ArgumentHelp("Expect the beacons of this list.", valueName: "file"))
  var expect: String?

  @Option(help: ArgumentHelp("Expect the beacons of this venue file.", valueName: "file"))
  var venue: String?

  @Option(
    help: ArgumentHelp(
      "Use [ranging], [[adapter]] and the expected beacons of this config. Defaults to that of the daemon on the chosen bus.",
      valueName: "file"))
  var config: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The distance at which you pass each beacon and wait for three seconds, 0.25 to 20: the loudest signal is that of this distance.",
      valueName: "metres"))
  var closest: Double?

  @Option(
    help: ArgumentHelp(
      "The true positions of the capture in the venue as CSV: unix_time_s,x_m,y_m,z_m; a column level is optional.", valueName: "file"))
  var truth: String?

  @Option(
    help: ArgumentHelp("End the walk after this time. Without it, q or Ctrl-C ends the walk.", valueName: "duration"), transform: Span.parse
  )
  var duration: Span?

  @Flag(help: "Print the report as one JSON object.")
  var json = false

  @Option(name: [.short, .long], help: ArgumentHelp("Also write the report to NAME.json and NAME.html.", valueName: "NAME"))
  var output: String?

  @Flag(help: "Replace files that exist.")
  var force = false

  @OptionGroup var names: LanguageOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if expect != nil, venue != nil { throw ValidationError("--expect and --venue cannot be combined; choose one list") }
    if capture != nil, bus.isChosen {
      throw ValidationError("a capture cannot be combined with a bus, because it does not use the daemon")
    }
    if capture != nil, duration != nil { throw ValidationError("--duration requires a walk; a capture is read to its end") }
    if truth != nil, capture == nil { throw ValidationError("--truth requires a capture; on a walk, choose places with the key w") }
    if let duration, duration <= .zero { throw ValidationError("--duration: must be greater than zero") }
    if let closest, !Survey.passingDistances.contains(closest) {
      throw ValidationError("--closest: \(closest) is not a distance of 0.25 to 20 m")
    }
    if force, output == nil { throw ValidationError("--force requires --output") }
    if output == "-" || output?.isEmpty == true || output?.hasSuffix("/") == true {
      throw ValidationError("--output requires a name for files, such as gallery; standard output has the report anyway")
    }
  }

  func run() throws {
    let configuration = try configuration()
    let languages = LocalizedText.languages(ofLocale: names.locale ?? "")
    let venue = try surveyedVenue(configuration)
    let files = output.map { SurveyFiles(name: $0, replaces: force, venue: venue.map { ($0, languages) }) }
    try files?.check()
    let survey = Survey(
      expected: try expected(configuration, venue, languages), passingDistance: closest, venue: venue, languages: languages)
    let screen = ScreenOutput()
    let time = screen.timeFormat(times)
    let result: SurveyResult
    if let capture {
      result = try CaptureSurvey(capture, survey, configuration, truth: truth).result()
    } else {
      result = try DaemonSurvey(
        CommandLink(bus.address), survey, configuration, venue.map { SurveyPlaceChoice($0, languages: languages) },
        isScreen: !json && screen.canRedraw, screen, time
      )
      .result(after: duration)
    }
    // The files first, because standard output may have no reader any more; and the text even if they cannot be written.
    let writing = Result { try files?.write(result, time: .utc) }
    let (report, output) = (result.report, TerminalOutput.standardOutput)
    try output.write(
      json ? report.record.json + "\n" : SurveyText(style: output.style, width: output.width, time: time).text(report))
    try writing.get()
    guard report.packets ?? 0 > 0 else {
      throw Failure(
        .unavailable, "no beacon was heard; \(capture == nil ? "see \"beaconmon doctor\"" : "check where the capture was made")")
    }
  }

  private func configuration() throws(Failure) -> Configuration {
    // A capture of somewhere else has nothing to do with the config of this machine.
    if capture != nil, config == nil { return Configuration() }
    return try ConfigurationFile(flag: config, isSession: bus.session, isOptional: config == nil).read().configuration
  }

  /// The venue in which places are measured: that of --venue, or the only one of the config.
  private func surveyedVenue(_ configuration: Configuration) throws(Failure) -> Venue? {
    if let venue {
      do throws(ConfigurationError) { return try VenueDocument.read(file: venue).venue } catch { throw Failure(error) }
    }
    guard configuration.venues.count == 1 else {
      guard truth == nil else { throw Failure(.usage, "--truth requires a venue; name its file with --venue") }
      return nil
    }
    return configuration.venues[0]
  }

  private func expected(_ configuration: Configuration, _ surveyed: Venue?, _ languages: [String]) throws -> ExpectedBeacons? {
    if let expect {
      return try WalkFiles.parse(expect) { text throws(PositionTableError) in try ExpectedBeacons(csv: text) }
    }
    if venue != nil, let surveyed { return ExpectedBeacons(surveyed, languages: languages) }
    return ExpectedBeacons(regions: configuration.regions, venues: configuration.venues, languages: languages)
  }
}
