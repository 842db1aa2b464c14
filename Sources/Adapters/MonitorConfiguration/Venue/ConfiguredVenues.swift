import Beacons
import Departures
public import VenueEditing
public import Venues

/// The venues of a configuration together with the stored ones.
///
/// A file of the configuration precedes a stored venue with the same id or one of its beacons, which is then not in use. So a mistake in a
/// stored venue never makes the configuration invalid.
public final class ConfiguredVenues: VenueConfiguration {
  private let store: StoredVenues
  /// The configuration as it was read last, without stored venues.
  public private(set) var configured: ConfigurationDocument
  private var stored: [VenueFile] = []
  /// Runs after stored venues have changed.
  public var onChange: () -> Void = {}

  public init(_ configured: ConfigurationDocument, _ store: StoredVenues) {
    (self.configured, self.store) = (configured, store)
  }

  /// Returns a configuration that was read, with the stored venues as they are now.
  public func completed(_ configured: ConfigurationDocument) -> ConfigurationDocument {
    self.configured = configured
    let (document, files) = configured.adding(store.entries())
    stored = files.map(\.file)
    return document
  }

  public var venueFiles: [VenueFile] {
    configured.venues.map { VenueFile($0.venue.id, file: $0.file) } + stored
  }

  public func configuredText(of venue: String) throws(VenueEditFailure) -> String? {
    if let text = configured.rolledOutVenues[venue] { return text }
    guard let file = configured.venues.first(where: { $0.venue.id == venue })?.file else { return nil }
    do throws(ConfigurationError) { return try ConfigurationFile.text(of: file) } catch { throw .unusable("\(error)") }
  }

  public func review(_ text: String) throws(VenueEditFailure) -> VenueReview {
    guard text.utf8.count <= VenueDocument.mostOctets else { throw .invalid(["the text is larger than 1 MiB, the limit for a venue"]) }
    let document: VenueDocument
    do throws(ConfigurationError) {
      // Other files of a venue lie in its folder.
      document = try VenueDocument.parse(text: text, name: store.path(of: "venue"))
    } catch {
      throw Self.failure(error)
    }
    guard document.lines.id != nil else { throw .invalid(["missing key \"id\"; add id = \"gallery\", by which the venue is stored"]) }
    let venue = document.venue.id
    let (_, files) = configured.adding(store.entries(with: (venue, document)))
    if let problems = files.last?.problems, !problems.isEmpty { throw Self.failure(.invalid(problems)) }
    return VenueReview(venue, warnings: document.warnings.map(Self.line))
  }

  public func adoptStoredVenues() { onChange() }

  private static func failure(_ error: ConfigurationError) -> VenueEditFailure {
    switch error {
    case .invalid(let problems): .invalid(problems.map(line))
    case .unreadable, .unwritable: .unusable("\(error)")
    }
  }

  /// A problem of a text that has no name for its author.
  private static func line(_ problem: ConfigurationProblem) -> String {
    let place = problem.line.map { line in "line \(line)" + (problem.column.map { ", column \($0)" } ?? "") + ": " } ?? ""
    return (place + problem.message).escapingControlCharacters
  }
}

extension ConfigurationDocument {
  /// Returns the configuration with stored venues, and the file of each with the problems that keep it out of force.
  func adding(
    _ entries: [StoredVenues.Entry]
  ) -> (document: ConfigurationDocument, files: [(file: VenueFile, problems: [ConfigurationProblem])]) {
    var result = self
    var files: [(VenueFile, [ConfigurationProblem])] = []
    for entry in entries {
      var problems: [ConfigurationProblem] = []
      switch entry.document {
      case .success(let document):
        problems = result.conflicts(of: document, at: entry.path)
        if problems.isEmpty { result.add(document) }
      case .failure(.invalid(let found)): problems = found
      case .failure(let error): problems = [ConfigurationProblem(file: entry.path, line: nil, column: nil, message: "\(error)")]
      }
      let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
      let note = problems.first.map { "not in use: \($0)\(more)" }
      files.append((VenueFile(entry.venue, file: entry.path, revision: entry.revision, note: note), problems))
      result.leftOutVenues += problems
    }
    return (result, files)
  }

  /// The parts of a stored venue that a venue of the configuration, or another stored one, already has.
  private func conflicts(of document: VenueDocument, at path: String) -> [ConfigurationProblem] {
    if let other = venues.first(where: { $0.venue.id == document.venue.id }) {
      let message = "has the id of \(other.file), which precedes it; give the venue another id"
      return [ConfigurationProblem(file: path, line: document.lines.id?.number, column: nil, message: message)]
    }
    var owners: [BeaconIdentity: String] = [:]
    for other in venues { for beacon in other.venue.beacons { owners[beacon.identity] = other.file } }
    return zip(document.venue.beacons, document.lines.beacons).compactMap { beacon, line in
      owners[beacon.identity].map { owner in
        ConfigurationProblem(
          file: path, line: line?.number, column: nil,
          message: "beacon \(beacon.identity): is a duplicate of the beacon in \(owner); remove one of them")
      }
    }
  }

  private mutating func add(_ document: VenueDocument) {
    venues.append(document)
    let venue = document.venue.resolvingFiles(in: ConfigurationFiles.folder(of: document.file))
    configuration.venues.append(venue)
    addAppointments(of: venue)
  }
}
