import Digests
import EventLoop
import Glibc
import Instants
import Numerals
public import VenueEditing
public import Venues

/// The venues that clients have saved, as files of the daemon's state.
///
/// `FOLDER/ID.toml` is the present text of a venue, and `FOLDER/history/ID/NUMBER-MICROSECONDS-REVISION-USER.toml` are the texts so far.
/// The numbers give their order, because the clock of a device may be wrong.
public final class StoredVenues: VenueStore {
  /// The maximum number of versions of a venue that are kept.
  static let mostVersions = 100
  /// The maximum number of venues with a history, of which some may be removed.
  static let mostHistories = 2 * VenueEditor.mostVenues

  private let folder: String?

  /// - Parameter folder: nil for a daemon that stores nothing.
  public init(_ folder: String?) {
    self.folder = folder
  }

  public var venues: [String] {
    guard let folder else { return [] }
    return Folder.names(in: folder).filter { $0.hasSuffix(Self.suffix) && $0.count > Self.suffix.count }
      .map { String($0.dropLast(Self.suffix.count)) }
  }

  private static let suffix = ".toml"

  public func path(of venue: String) -> String { "\(folder ?? "")/\(venue)\(Self.suffix)" }

  public func text(of venue: String) throws(VenueEditFailure) -> String? {
    // The name comes from a client, and may be a path to another file.
    guard venues.contains(venue) else { return nil }
    return try text(at: path(of: venue))
  }

  private func text(at path: String) throws(VenueEditFailure) -> String {
    // A damaged file can be read and replaced like any other.
    do throws(ConfigurationError) { return try ConfigurationFile.damagedText(of: path) } catch { throw .unusable("\(error)") }
  }

  public func revision(of text: String) -> String {
    var digest = FowlerNollVo()
    digest.add(text)
    return Hexadecimal.digits(digest.value)
  }

  public func replace(_ venue: String, with text: String) throws(VenueEditFailure) {
    try write(text, to: path(of: venue))
  }

  public func remove(_ venue: String) throws(VenueEditFailure) {
    guard unlink(path(of: venue)) == 0 else { throw .unusable("\(SystemCallError.last("unlink", path(of: venue)))") }
  }

  private func write(_ text: String, to path: String) throws(VenueEditFailure) {
    guard folder != nil else { throw .unusable("this daemon has no folder for its state, and stores no venues") }
    do throws(SystemCallError) { try Folder.make(Folder.parent(of: path)) } catch { throw .unusable("\(error)") }
    do throws(ConfigurationError) { try ConfigurationFile.replace(path, with: text) } catch { throw .unusable("\(error)") }
  }
}

// MARK: History

extension StoredVenues {
  private var histories: String { "\(folder ?? "")/history" }

  public func versions(of venue: String) -> [VenueVersion] { entries(of: venue).map(\.version) }

  public func text(of venue: String, revision: String) throws(VenueEditFailure) -> String? {
    guard let entry = entries(of: venue).first(where: { $0.version.revision == revision }) else { return nil }
    return try text(at: entry.path)
  }

  public func keep(_ text: String, of venue: String, as version: VenueVersion) throws(VenueEditFailure) {
    let user = version.user.map { "\($0)" } ?? ""
    let kept = entries(of: venue)
    if kept.isEmpty { makeRoom() }
    // A file with an absurd number must not end the counting.
    let number = min(kept.first?.number ?? 0, Int.max - 1) + 1
    let name = "\(number)-\(version.time?.microseconds ?? 0)-\(version.revision ?? "")-\(user)\(Self.suffix)"
    try write(text, to: "\(histories)/\(venue)/\(name)")
    for entry in entries(of: venue).dropFirst(Self.mostVersions) { unlink(entry.path) }
  }

  /// A file of a history.
  private struct KeptText {
    let number: Int
    let version: VenueVersion
    let path: String

    /// Nil for a file that is not a stored venue.
    init?(_ name: String, in folder: String) {
      path = "\(folder)/\(name)"
      let parts = name.dropLast(StoredVenues.suffix.count).split(separator: "-", omittingEmptySubsequences: false)
      var status = stat()
      guard name.hasSuffix(StoredVenues.suffix), parts.count == 4, let number = Int(parts[0]), let time = Int64(parts[1]),
        parts[2].count == 16, stat(path, &status) == 0
      else { return nil }
      self.number = number
      version = VenueVersion(
        String(parts[2]), time: Instant(microseconds: time), size: Int(status.st_size), user: UInt32(parts[3]))
    }
  }

  /// Returns the files of a history, the newest first.
  private func entries(of venue: String) -> [KeptText] {
    guard folder != nil, Folder.names(in: histories).contains(venue) else { return [] }
    let folder = "\(histories)/\(venue)"
    return Folder.names(in: folder).compactMap { KeptText($0, in: folder) }.sorted { ($0.number, $0.path) > ($1.number, $1.path) }
  }

  /// Deletes the oldest histories of removed venues, so that ever new ids do not fill the disk.
  private func makeRoom() {
    let present = Set(venues)
    let all = Folder.names(in: histories)
    let removed = all.filter { !present.contains($0) }.sorted {
      (entries(of: $0).first?.version.time ?? .never) < (entries(of: $1).first?.version.time ?? .never)
    }
    for venue in removed.prefix(max(0, all.count - Self.mostHistories + 1)) {
      for entry in entries(of: venue) { unlink(entry.path) }
      rmdir("\(histories)/\(venue)")
    }
  }
}

// MARK: Reading

extension StoredVenues {
  /// A stored venue, or the problems that keep it out of force.
  struct Entry {
    let venue: String
    let path: String
    let revision: String
    let document: Result<VenueDocument, ConfigurationError>
  }

  /// Reads all stored venues, of which at most `VenueEditor.mostVenues` count.
  ///
  /// - Parameter change: A text that comes last, instead of the file of its venue.
  func entries(with change: (venue: String, document: VenueDocument)? = nil) -> [Entry] {
    var entries = venues.prefix(VenueEditor.mostVenues).filter { $0 != change?.venue }.map(entry)
    if let change {
      entries.append(Entry(venue: change.venue, path: path(of: change.venue), revision: "", document: .success(change.document)))
    }
    return entries
  }

  private func entry(of venue: String) -> Entry {
    let path = path(of: venue)
    do throws(ConfigurationError) {
      let text = try ConfigurationFile.text(of: path)
      return Entry(venue: venue, path: path, revision: revision(of: text), document: Self.document(venue, text, at: path))
    } catch {
      // The revision of a damaged text lets a client replace it.
      var revision = ""
      do throws(VenueEditFailure) { revision = try self.text(of: venue).map(self.revision) ?? "" } catch {}
      return Entry(venue: venue, path: path, revision: revision, document: .failure(error))
    }
  }

  private static func document(_ venue: String, _ text: String, at path: String) -> Result<VenueDocument, ConfigurationError> {
    do throws(ConfigurationError) {
      let document = try VenueDocument.parse(text: text, name: path)
      guard document.venue.id == venue else {
        let message = "has the id \(document.venue.id.quoted), which its name does not have; call the file \(document.venue.id)\(suffix)"
        throw .invalid([ConfigurationProblem(file: path, line: document.lines.id?.number, column: nil, message: message)])
      }
      return .success(document)
    } catch {
      return .failure(error)
    }
  }
}
