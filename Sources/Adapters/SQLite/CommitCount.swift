import Glibc

/// The number of commits of a database, in a small file beside it: `journal.db-commits`. Lost commits are noticed by it.
///
/// SQLite reads a write-ahead log up to the first frame that is not valid. A log that is missing, cut short or older costs the commits
/// after that without an error. The database counts its commits in its head rows, and this file has the same number. It is written after
/// each commit and never flushed, so a crash of the process leaves it exact, and a power cut leaves it exact or older. See decision 39.
final class CommitCount {
  /// The content of the file.
  struct Content: Equatable {
    /// The id of the database, `RowChecks.id`.
    var id: Int64
    var commits: Int64
    /// The numbers that the program noted with the last commit, at most `CommitCount.notes`.
    var notes: [Int64]
  }

  static let suffix = "-commits"
  static let notes = 6
  /// The first octets of the file: "bcmcount" in ASCII.
  private static let magic: Int64 = 0x6263_6d63_6f75_6e74

  private let descriptor: Int32
  private(set) var content: Content

  /// Makes the file if it is missing; nil if it cannot be written.
  init?(beside path: String, _ content: Content) {
    descriptor = open(path + Self.suffix, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    self.content = content
    var found = stat()
    guard descriptor >= 0, fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    write()
  }

  deinit {
    close(descriptor)
  }

  /// Adds a commit.
  ///
  /// - Parameter notes: the new notes; `nil` keeps those of the previous commit.
  func add(notes: [Int64]?) {
    content.commits += 1
    if let notes { content.notes = notes }
    write()
  }

  /// Writes the file. If this fails, the old content causes a warning at the next start, but no loss of events.
  private func write() {
    var words = [Self.magic, content.id, content.commits] + (content.notes + Array(repeating: 0, count: Self.notes)).prefix(Self.notes)
    words.append(Self.checksum(words))
    words = words.map(\.littleEndian)
    _ = words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// The content of the file beside the database at `path`; nil if it is missing or damaged.
  static func content(beside path: String) -> Content? {
    let descriptor = open(path + suffix, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var words = [Int64](repeating: 0, count: 4 + notes)
    let size = words.count * 8
    guard words.withUnsafeMutableBytes({ pread(descriptor, $0.baseAddress, size, 0) }) == size else { return nil }
    words = words.map { Int64(littleEndian: $0) }
    guard words[0] == magic, words.last == checksum(words.dropLast()), (0..<RowChecks.mostCommits).contains(words[2]) else { return nil }
    return Content(id: words[1], commits: words[2], notes: Array(words[3..<3 + notes]))
  }

  private static func checksum(_ words: some Sequence<Int64>) -> Int64 {
    var hash = RowHash()
    for word in words { hash.add(word) }
    return Int64(bitPattern: hash.value)
  }
}

/// Commits that a database had at its last use and no longer has.
public enum LostCommits: Equatable, Sendable {
  /// The number of the last commits that are lost.
  ///
  /// - notes: the notes of the last of them.
  case last(Int64, notes: [Int64])
  /// All commits are lost, because another file replaced the database.
  case all
}

extension LostCommits: CustomStringConvertible {
  public var description: String {
    switch self {
    case .last(1, _): "its last commit is lost, because the file or its write-ahead log is missing, truncated or older"
    case .last(let count, _):
      "its last \(count) commits are lost, because the file or its write-ahead log is missing, truncated or older"
    case .all: "the file was replaced by another one"
    }
  }
}

// MARK: In the database

extension RowChecks {
  /// The largest valid number; a larger one is damage, and could overflow.
  static let mostCommits: Int64 = 1 << 60

  /// Removes the count beside a deleted database at `path`.
  public static func removeCount(beside path: String) { unlink(path + CommitCount.suffix) }

  /// Returns the notes of the last commit of the database at `path` and the id of the database; `nil` if they are unknown.
  public static func notes(beside path: String) -> (database: Int64, notes: [Int64])? {
    CommitCount.content(beside: path).map { ($0.id, $0.notes) }
  }

  /// Returns the commits that are lost according to the count in the database and the one beside it; `nil` if there are none.
  ///
  /// - Parameter path: the path of the database.
  public func lostCommits(beside path: String) throws(DatabaseError) -> LostCommits? {
    guard let before = CommitCount.content(beside: path) else { return nil }
    guard before.id == id else { return .all }
    let lost = before.commits - (try storedCommits() ?? 0)
    return lost > 0 ? .last(lost, notes: before.notes) : nil
  }

  /// Counts the commits of `Database.transaction` from now on, in the database and in a file beside it.
  ///
  /// Both begin with the larger number.
  ///
  /// - Parameter path: the path of the database.
  /// - Returns: the result of `lostCommits` before.
  @discardableResult
  public func countCommits(beside path: String) throws(DatabaseError) -> LostCommits? {
    let lost = try lostCommits(beside: path)
    let stored = try storedCommits()
    let known = CommitCount.content(beside: path).flatMap { $0.id == id ? $0 : nil }
    let commits = max(stored ?? 0, known?.commits ?? 0)
    do throws(DatabaseError) {
      if commits != stored {
        try database.prepare("INSERT OR REPLACE INTO head VALUES ('commits', ?, ?, 0)").run(.integer(id), .integer(commits))
      }
      database.commitCount = CommitCount(beside: path, .init(id: id, commits: commits, notes: known?.notes ?? []))
    } catch {
      // A full disk can still be read. Both numbers stay as they are.
      if error.isUnreadable { throw error }
    }
    return lost
  }

  /// Returns the count in the database; `nil` if it is missing or damaged.
  private func storedCommits() throws(DatabaseError) -> Int64? {
    let found = try database.prepare("SELECT count FROM head WHERE name = 'commits'").first { $0.integer(0) } ?? nil
    return found.flatMap { (0..<Self.mostCommits).contains($0) ? $0 : nil }
  }
}
