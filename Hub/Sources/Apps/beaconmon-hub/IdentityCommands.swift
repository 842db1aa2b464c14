import ArgumentParser
import EventLoop
import FleetDatabase
import Glibc
import Logging
import MachineFiles
import PageDatabase
import PostgreSQL
import Retention

struct IdentityArguments: ParsableArguments {
  @Argument(help: "The kind of the identity: \(StoredIdentity.Kind.allCases.map(\.rawValue).joined(separator: ", ")).") var kind: String
  @Argument(help: "A tag as UUID/MAJOR/MINOR, a device as SITE.DEVICE, or the name of a person.") var identity: String

  func parsed() throws -> StoredIdentity {
    guard let kind = StoredIdentity.Kind(rawValue: kind) else {
      throw ValidationError("unknown kind \"\(kind)\"; expected \(StoredIdentity.Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    guard let identity = StoredIdentity(kind, identity) else {
      throw ValidationError(
        "invalid \(kind.rawValue) \"\(identity)\"; write a tag as UUID/MAJOR/MINOR, a device as SITE.DEVICE, and a person by the name")
    }
    return identity
  }

  var unknown: ValidationError { ValidationError("the database has nothing about the \(kind) \(identity); check its name") }
}

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print everything that the hub has stored about a tag, a device or a person, as JSON.",
    discussion:
      """
      The rows of all tables are those of one moment. Hashes of passwords and sessions are left out. The export is in the audit log. \
      If nothing else is stored about the identity, the command fails.

      A temporary file holds the export until it is complete, in the folder of the variable TMPDIR or in /var/tmp.

      Example:
        beaconmon-hub admin export tag 7b1f63e2-0a5c-4d7e-9c4f-52a1d0c3b002/1/7 > tag.json
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var identity: IdentityArguments

  func run() throws {
    let identities = try IdentityDatabase(try database.connectPatiently())
    let file = try SpoolFile()
    let count = try identities.export(try identity.parsed(), by: Actor.present, to: file.write)
    guard count.rows > count.exports else { throw identity.unknown }
    try file.print()
    Logger.hub.notice("\(count.rows) rows")
  }
}

struct EraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase", abstract: "Erase everything that the hub has stored about a tag, a device or a person.",
    discussion: """
      One transaction erases the rows of all tables. The audit log records the erasure without the identity, and older entries lose it. \
      Workers start over and wait for its last part, in which a statement takes 10 s at most. If it takes longer, the erasure fails and \
      changes nothing.

      Messages about a tag or of a device may still wait in queues and devices. For the time of --suppress, workers leave them out, which they \
      recognise by a keyed hash. After that time, or with "--suppress 0h", a tag that is heard is stored as a new one. A device must be \
      revoked first; enrolling it again ends the suppression.

      Examples:
        beaconmon-hub admin erase person ada
        beaconmon-hub admin erase device berlin.door --suppress 14d
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var identity: IdentityArguments
  @Option(help: ArgumentHelp("The time in which the identity is not stored again, in whole hours or days.", valueName: "time"))
  var suppress = "7d"

  func run() throws {
    guard let hours = RetentionKind.hours(of: suppress, in: StoredIdentity.suppressions) else {
      throw ValidationError("invalid time \"\(suppress)\"; write whole hours or days, such as 0h, 24h or 7d")
    }
    let identities = try IdentityDatabase(try database.connectPatiently())
    let erased = try identities.erase(try identity.parsed(), suppressingFor: hours, by: Actor.present)
    guard !erased.isEmpty else { throw identity.unknown }
    for (table, rows) in erased { print("\(table): \(rows)") }
  }
}

struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Print the audit log, the newest entry first.",
    discussion: """
      It has sign-ins with a password, changes of people, roles, names and sites, enrolments, revocations and places of devices, exports and \
      erasures, changes of the retention, and readings of a tag's history in the page.

      Example:
        beaconmon-hub admin audit --site berlin --last 20
      """)

  @OptionGroup var database: DatabaseOptions
  @Option(help: "The number of entries.") var last = 50
  @Option(help: "Only entries about this site.") var site: String?

  func run() throws {
    guard (1...10_000).contains(last) else { throw ValidationError("--last is from 1 to 10000") }
    let connection = try database.connect()
    try FleetSchema(connection).check()
    if let site, try !VenueDatabase(connection).has(site: site) {
      throw ValidationError("there is no site \(site); \"beaconmon-hub status\" prints the devices of all sites")
    }
    for line in try PeopleDatabase(connection).audit(last: last, site: site) { print(line) }
  }
}

/// A file without a name, which ends with the program.
///
/// It holds an answer of the database until that is complete, however slow the reader of the output is.
private final class SpoolFile {
  private let file: UnsafeMutablePointer<FILE>

  /// Makes the file in the folder of the variable TMPDIR, or in /var/tmp.
  init() throws(SpoolError) {
    var name = Array("\(MachineSettings.variable("TMPDIR") ?? "/var/tmp")/beaconmon-hub-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0, unlink(name) == 0, let file = fdopen(descriptor, "w+") else {
      throw SpoolError(
        description: "\(String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)): \(SpoolError.reason)")
    }
    self.file = file
  }

  deinit { fclose(file) }

  func write(_ text: String) throws(SpoolError) {
    guard fputs(text, file) >= 0 else { throw .full }
  }

  /// Writes the text to the standard output.
  func print() throws(SpoolError) {
    guard fflush(file) == 0, fseek(file, 0, SEEK_SET) == 0 else { throw .full }
    var octets = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&octets, 1, octets.count, file)
      guard count > 0 else { break }
      do throws(SystemCallError) { try FileDescriptor.write(octets[..<count], to: STDOUT_FILENO) } catch {
        throw SpoolError(description: "standard output: \(String(cString: strerror(error.code)))")
      }
    }
  }
}

private struct SpoolError: Error, CustomStringConvertible {
  var description: String

  static var reason: String { String(cString: strerror(errno)) }
  static var full: Self { Self(description: "the temporary file: \(reason); set TMPDIR to a folder with more space") }
}
