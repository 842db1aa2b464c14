import ArgumentParser
import Failures
import IMDF
import MonitorConfiguration
import ProgramSupport
import Records
import Terminal
import Venues

struct VenueImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Create a venue file from an IMDF archive.",
    discussion: """
      Reads an archive of the Indoor Mapping Data Format 1.0, even one that deviates from the standard. Deviations, and content that a \
      venue file has no place for, are listed on standard error. The venue file has no beacons unless beaconmon made the archive; add them \
      to it.

      Exit codes: 65 if the archive cannot be read as a map, 66 if the file cannot be read, 69 if libzip or GEOS is not installed.

      Examples:
        beaconmon venue import museum.zip -o museum.toml
        beaconmon venue import museum.zip --latitude-first > museum.toml
      """)

  @Argument(help: "The archive, a zip file.")
  var archive: String

  @Option(name: .shortAndLong, help: ArgumentHelp("Write the venue file to this path; \"-\" is standard output.", valueName: "file"))
  var output = "-"

  @Flag(help: "Replace an existing file.")
  var force = false

  @Flag(help: "Read positions as latitude and longitude, if an archive has all of them in the wrong order.")
  var latitudeFirst = false

  func run() throws {
    if !force { try OutputFile.check(path: output) }
    let name = VenueCommand.id(of: output == "-" ? archive : output)
    let result: IMDFImport
    do throws(IMDFError) {
      result = try IMDFImport(path: archive, id: name, isLatitudeFirst: latitudeFirst)
    } catch {
      throw Failure(error, archive)
    }
    let venue = result.venue
    let text = venue.toml
    guard text.utf8.count <= VenueDocument.mostOctets else {
      let size = (Double(text.utf8.count) / Double(1 << 20) * 10).rounded(.up) / 10
      throw Failure(
        .dataError,
        "\(archive): the venue file would have \(size) MiB, and at most 1 MiB can be read; remove levels or details from the archive, or export each "
          + "building alone")
    }
    // The file is read back, so that the daemon will read it too.
    do throws(ConfigurationError) {
      _ = try VenueDocument.parse(text: text, name: output == "-" ? "\(name).toml" : output)
    } catch {
      throw Failure(.dataError, "\(archive): the archive has values that a venue file does not allow:\n\(error)")
    }
    try OutputFile(path: output, replaces: force).write(text)
    let counts = [(venue.levels.count, "level"), (venue.places.count, "place"), (venue.beacons.count, "beacon")]
    try result.notes.report(counts.map { Count.text($0, $1) }.joined(separator: ", "), archive)
  }

}

extension VenueCommand {
  /// Returns the name of a file without folder and extension, as an id of a venue.
  static func id(of path: String) -> String {
    let name = path.split(separator: "/").last ?? "venue"
    let stem = name.split(separator: ".").first ?? "venue"
    let id = stem.map { $0.isASCII && ($0.isLetter || $0.isNumber) || "-_".contains($0) ? $0 : "-" }
    return id.first.map { $0.isLetter || $0.isNumber } == true ? String(id.prefix(64)) : "venue"
  }
}

extension [ConversionNote] {
  /// Prints a line about a conversion and its notes on standard error.
  func report(_ summary: String, _ file: String) throws(OutputError) {
    let lines = map { note in
      switch note.kind {
      case .warning: "\(file): warning: \(note)\n"
      case .omission: "\(file): left out: \(note)\n"
      }
    }
    try TerminalOutput.standardError.write("\(file): \(summary)\n" + lines.joined())
  }
}

extension Failure {
  init(_ error: IMDFError, _ file: String) {
    switch error.kind {
    case .unavailable: self.init(.unavailable, "\(error)")
    case .unreadable: self.init(.noInput, "\(file): \(error)")
    case .invalid: self.init(.dataError, "\(file): \(error)")
    }
  }
}
