import Beacons
import ConfigurationTree
import Geodesy
import Locations
import Venues

// The venue files of a configuration.

extension MergedConfiguration {
  /// Returns the configuration with the venues of its files.
  func documentWithVenues() throws(ConfigurationError) -> ConfigurationDocument {
    var document = try document()
    try document.readVenues()
    return document
  }
}

extension ConfigurationDocument {
  /// Reads the files in `venues` and the venues of the rollout.
  ///
  /// The files are relative to the folder of the main file, also if a drop-in names them. A venue of the rollout takes the place of a file
  /// with the same id. Throws all problems of all files: an invalid venue makes the configuration invalid.
  mutating func readVenues() throws(ConfigurationError) {
    let rolledOut = try rollout?.venueDocuments() ?? []
    rolledOutVenues = Dictionary(rolledOut.map { ($0.document.venue.id, $0.text) }) { first, _ in first }
    var problems: [ConfigurationProblem] = []
    var owners: [BeaconIdentity: Int] = [:]
    for path in venueFiles {
      do throws(ConfigurationError) {
        let document = try VenueDocument.read(file: resolved(path))
        if rolledOutVenues[document.venue.id] == nil { add(document, &owners, &problems) }
      } catch {
        switch error {
        case .invalid(let found): problems += found
        case .unreadable, .unwritable: problems.append(problem("\(error)"))
        }
      }
    }
    for (document, _) in rolledOut { add(document, &owners, &problems) }
    guard problems.isEmpty else { throw .invalid(problems) }
    configuration.venues = venues.map { $0.venue.resolvingFiles(in: ConfigurationFiles.folder(of: $0.file)) }
    if let receiver = configuration.receiver {
      try place(receiver)
      guard configuration.source != .nothing || configuration.worksWithoutBeacons else {
        throw .invalid([problem(nil, "source: \(Configuration.hasNothingToDo)")])
      }
    }
    try findAppointments()
  }

  /// Adds a venue, and reports an id or a beacon that an earlier one has.
  private mutating func add(_ document: VenueDocument, _ owners: inout [BeaconIdentity: Int], _ problems: inout [ConfigurationProblem]) {
    if let other = venues.first(where: { $0.venue.id == document.venue.id }) {
      problems.append(
        problem("\(document.file) and \(other.file) have the same id \(document.venue.id.quoted); write another id in one of them"))
    }
    for (beacon, line) in zip(document.venue.beacons, document.lines.beacons) {
      if let owner = owners[beacon.identity] {
        let message = "is a duplicate of the beacon in \(venues[owner].file); remove one of them"
        problems.append(
          ConfigurationProblem(file: document.file, line: line?.number, column: nil, message: "beacon \(beacon.identity): \(message)"))
      } else {
        owners[beacon.identity] = venues.count
      }
    }
    venues.append(document)
  }

  /// Finds the place of a receiver that never moves, which is its location as well unless `[location.fixed]` states another.
  private mutating func place(_ receiver: FixedReceiver) throws(ConfigurationError) {
    guard let (venue, level) = receiver.place(in: configuration.venues) else { throw .invalid([misplaced(receiver)]) }
    guard configuration.location.fixed == nil, let place = venue.frame?.coordinate(for: receiver.position) else { return }
    var reading = LocationReading(latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: FixedReceiver.accuracy)
    reading.floor = level.ordinal
    configuration.location.fixed = reading
  }

  private func misplaced(_ receiver: FixedReceiver) -> ConfigurationProblem {
    let venues = configuration.venues
    let message =
      if let id = receiver.venue, !venues.contains(where: { $0.id == id }) {
        "venue: no file in venues has the id \(id.quoted); correct it, or add the file to venues"
      } else if venues.isEmpty {
        "there is no venue; add its file to venues"
      } else if receiver.venue == nil, venues.count > 1 {
        "venue is required, because there are several: \(venues.map(\.id).joined(separator: ", "))"
      } else if let level = receiver.level {
        "level: the venue has no level \(level.quoted)"
      } else {
        "level is required, because the venue has several levels"
      }
    return problem(lines.place, "receiver: \(message)")
  }

  /// The distance in metres between a receiver that never moves, such as one on a wall, and the floor in front of it.
  private static let mostReceiverArm = 2.0

  /// A warning about a receiver that never moves, but lies outside the areas of its level.
  var strayReceiver: ConfigurationProblem? {
    guard let receiver = configuration.receiver, let (_, level) = receiver.place(in: configuration.venues), !level.walkable.isEmpty,
      !level.walkable.contains(where: { $0.isNear(receiver.position, within: Self.mostReceiverArm) })
    else { return nil }
    return problem(
      lines.place,
      "receiver: position: \(receiver.position.text) is more than \(Int(Self.mostReceiverArm)) m outside the walkable areas of level "
        + "\(level.id.quoted); correct the position or the level")
  }

  private func problem(_ message: String) -> ConfigurationProblem {
    problem(lines.venues, "venues: \(message)")
  }

  func resolved(_ path: String) -> String {
    path.hasPrefix("/") ? path : ConfigurationFiles.folder(of: file) + path
  }
}

extension ValueDecoder where Value == [String] {
  /// The paths of venue files, each once.
  static var venueFiles: ValueDecoder {
    ValueDecoder(.list(.text(pattern: "[^/]$"), count: 0...64, isUnique: true)) { node throws(DecodingIssue) in
      let paths = try ValueDecoder.list(of: .text(example: "gallery.toml"), example: "[\"gallery.toml\"]").decode(node)
      guard paths.count <= 64 else { throw DecodingIssue("has \(paths.count) files; at most 64 are allowed") }
      guard !paths.contains(where: { $0.isEmpty || $0.hasSuffix("/") }) else {
        throw DecodingIssue("contains no file; write the path of a venue file, such as \"gallery.toml\"")
      }
      var seen: Set<String> = []
      if let twice = paths.first(where: { !seen.insert($0).inserted }) {
        throw DecodingIssue("has \(twice.quoted) twice; remove one of them")
      }
      return paths
    }
  }

  /// A language tag, or several in the order of preference.
  static var languages: ValueDecoder {
    ValueDecoder(.either([.language, .list(.language)])) { node throws(DecodingIssue) in
      guard case .list = node.value else { return [try ValueDecoder<String>.language.decode(node)] }
      return try ValueDecoder<[String]>.list(of: .language, example: "[\"de\", \"en\"]").decode(node)
    }
  }
}
