import ArgumentParser
import DBus
import EventLoop
import Failures
import Instants
import MonitorClient
import MonitorConfiguration
import MonitorProtocol
import ProgramSupport
import Terminal
import Venues

// The commands for the venues that the daemon stores.

/// `beaconmon venue files`: the files of all venues of the daemon.
struct VenueFiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "files",
    abstract: "List the venue files of the daemon.",
    discussion: """
      Prints the file of each venue, and whether it is in use. A file of the configuration is changed with an editor. A stored one is \
      changed with `beaconmon venue save`, and its revision is printed.

      Example:
        beaconmon venue files
      """)

  @OptionGroup var bus: BusOptions

  func run() throws {
    let files = try VenueRequest.answer(bus) { $0.venueFiles($1) }
    let lines = files.map { file in
      let kind = file.revision.map { "stored, revision \($0)" } ?? "configured"
      return "\(file.venue ?? ""): \(file.file ?? ""), \(kind)" + (file.note.map { "\n  \($0)" } ?? "") + "\n"
    }
    try TerminalOutput.standardOutput.write(lines.isEmpty ? "the daemon has no venue\n" : lines.joined())
  }
}

/// `beaconmon venue text`: the text of a venue of the daemon.
struct VenueTextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "text",
    abstract: "Print the file of a venue of the daemon, or an earlier text of it.",
    discussion: """
      Requires root, or permission from polkit.

      Examples:
        sudo beaconmon venue text gallery > gallery.toml
        sudo beaconmon venue text gallery --revision 5f1c0a8812de4471
      """)

  @Argument(help: "The id of the venue.")
  var venue: String

  @Option(help: ArgumentHelp("A revision that `beaconmon venue history` lists. Defaults to the present text.", valueName: "revision"))
  var revision: String?

  @OptionGroup var bus: BusOptions

  func run() throws {
    let answer = try VenueRequest.answer(bus) { $0.venueText(venue, revision: revision, $1) }
    try TerminalOutput.standardOutput.write(answer.text)
  }
}

/// `beaconmon venue history`: the versions of a stored venue.
struct VenueHistory: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the texts that a stored venue had, the newest first.",
    discussion: """
      The daemon keeps the last 100 texts, even those of a removed venue. Requires root, or permission from polkit.

      Example:
        sudo beaconmon venue history gallery
      """)

  @Argument(help: "The id of the venue.")
  var venue: String

  @OptionGroup var bus: BusOptions

  func run() throws {
    let versions = try VenueRequest.answer(bus) { $0.venueHistory(venue, $1) }
    let lines = versions.map { version in
      let user = version.user.map { "saved by user \($0)" } ?? "found in the folder"
      let time = version.time.map { "\($0.rfc3339.prefix(19))Z" } ?? "unknown time"
      return "\(version.revision ?? ""): \(time), \(version.size ?? 0) octets, \(user)\n"
    }
    try TerminalOutput.standardOutput.write(lines.isEmpty ? "\(venue): was never stored\n" : lines.joined())
  }
}

/// `beaconmon venue save`: the daemon stores a venue.
struct VenueSave: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Store a venue in the daemon, which then applies it.",
    discussion: """
      The file must contain the id of the venue. A stored venue is replaced only with --revision, which names the text that was changed: if \
      another user has changed it meanwhile, nothing is stored, and the difference is printed. A venue of the configuration is not \
      replaced. Requires root, or permission from polkit.

      Exit codes: 65 for a text that is not stored, 77 without permission, 78 for an invalid venue.

      Examples:
        sudo beaconmon venue save gallery.toml
        sudo beaconmon venue save gallery.toml --revision 5f1c0a8812de4471
      """)

  @Argument(help: "The venue file.")
  var file: String

  @Option(help: ArgumentHelp("The revision of the stored text that was changed. A new venue needs none.", valueName: "revision"))
  var revision: String = ""

  @OptionGroup var bus: BusOptions

  func run() throws {
    let text: String
    do throws(ConfigurationError) { text = try VenueDocument.text(of: file) } catch { throw Failure(error) }
    let saved = try VenueRequest.answer(bus) { $0.saveVenue(text, replacing: revision, $1) }
    let warnings = saved.warnings.map { "\(file): warning: \($0)\n" }.joined()
    try TerminalOutput.standardOutput.write("\(saved.venue): stored, revision \(saved.revision)\n\(warnings)")
  }
}

/// `beaconmon venue remove`: the daemon forgets a stored venue.
struct VenueRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a stored venue from the daemon.",
    discussion: """
      Its history stays, so that `beaconmon venue save` can store it again. Requires root, or permission from polkit.

      Example:
        sudo beaconmon venue remove gallery
      """)

  @Argument(help: "The id of the venue.")
  var venue: String

  @OptionGroup var bus: BusOptions

  func run() throws {
    try VenueRequest.answer(bus) { client, completion in
      client.venueText(venue, revision: nil) { answer in
        switch answer {
        case .success(let present): client.removeVenue(venue, revision: present.revision, completion)
        case .failure(let error): completion(.failure(error))
        }
      }
    }
    try TerminalOutput.standardOutput.write("\(venue): removed; \"beaconmon venue history \(venue)\" lists its texts\n")
  }
}

/// A request about the venues of the daemon, which a dialog of polkit may delay.
enum VenueRequest {
  /// Returns the answer of the daemon.
  ///
  /// - Parameter isForInsiders: whether root and the group beaconmon alone may ask; otherwise polkit may take its time.
  static func answer<Value>(
    _ bus: BusOptions, isForInsiders: Bool = false,
    _ request: @escaping (MonitorClient, @escaping (Result<Value, DBusError>) -> Void) -> Void
  ) throws(Failure) -> Value {
    let link = try CommandLink(bus.address, forSession: !isForInsiders)
    return try link.ask(failure: Failure.init(venueStore:)) { client, completion in
      if !isForInsiders { link.settle() }
      request(client, completion)
    }
  }
}

extension Failure {
  /// Converts an error of a request about the venues of the daemon.
  fileprivate init(venueStore error: DBusError) {
    let isInvalid = error.monitorError == .invalidVenue
    self.init(error.isStandard("AccessDenied") ? .noPermission : isInvalid ? .config : .dataError, error.message)
  }
}
