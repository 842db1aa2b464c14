import Glibc
import Venues

/// A venue that was read from an archive of the Indoor Mapping Data Format 1.0.0.
public struct IMDFImport: Sendable {
  public let venue: Venue
  /// The deviations of the archive, and the content that a venue has no place for.
  public let notes: [ConversionNote]

  /// Reads an archive.
  ///
  /// Archives of other programs deviate in many ways. A deviating feature is repaired where its meaning is clear, or left out, and a note
  /// reports it.
  ///
  /// - Parameters:
  ///   - archive: the octets of the zip file.
  ///   - id: the id of the venue, unless the archive was written by this program and has one.
  ///   - isLatitudeFirst: whether all files have the latitude before the longitude. By default, the positions decide.
  /// - Throws: if the archive is not a zip file, exceeds a limit, or contains no position, or if a library is missing.
  public init(archive: [UInt8], id: String, isLatitudeFirst: Bool = false) throws(IMDFError) {
    var notes = NoteList()
    let files = try ZipArchive().files(in: archive, isWanted: IMDFFormat.isRead) { path, refusal in
      let name = path.plain(most: 80)
      switch refusal {
      case .unsafeName: notes.warn("the archive has an entry with an unsafe name, which is ignored: \(name)")
      case .encrypted: notes.warn("the file is encrypted, and is ignored", file: name)
      case .doubled: notes.warn("the archive contains this file twice; the first one counts", file: name)
      case .damaged(let problem): notes.warn("the file is damaged, and is ignored: \(problem)", file: name)
      }
    }
    if files.isEmpty, let note = notes.notes.first { throw .invalid("no file of the archive can be read: \(note)") }
    try self.init(files, id: id, isLatitudeFirst: isLatitudeFirst, &notes)
  }

  /// Reads an archive from a file.
  public init(path: String, id: String, isLatitudeFirst: Bool = false) throws(IMDFError) {
    try self.init(archive: Self.octets(of: path), id: id, isLatitudeFirst: isLatitudeFirst)
  }

  /// The largest archive.
  private static let mostOctets = 64 << 20

  private static func octets(of path: String) throws(IMDFError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable("cannot be read: \(String(cString: strerror(errno))); check the path") }
    defer { close(descriptor) }
    var octets: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable("cannot be read: \(String(cString: strerror(errno))); specify a zip file") }
      if count == 0 { return octets }
      octets += chunk[..<count]
      guard octets.count <= mostOctets else { throw .invalid("is larger than \(mostOctets >> 20) MiB; this is not the map of a venue") }
    }
  }

  /// Reads the files of an archive, by name.
  public init(files: [String: [UInt8]], id: String, isLatitudeFirst: Bool = false) throws(IMDFError) {
    var notes = NoteList()
    try self.init(files, id: id, isLatitudeFirst: isLatitudeFirst, &notes)
  }

  private init(
    _ files: [String: [UInt8]], id: String, isLatitudeFirst: Bool, _ notes: inout NoteList
  ) throws(IMDFError) {
    let content = try IMDFReader.read(files, &notes)
    do throws(IMDFError) {
      var builder = try VenueBuilder(content, id: id, isLatitudeFirst: isLatitudeFirst, notes)
      venue = try builder.build()
      self.notes = builder.notes.notes
    } catch {
      guard error.kind == .invalid, let first = notes.notes.first else { throw error }
      throw .invalid("\(error); the first fault: \(first)")
    }
  }
}
