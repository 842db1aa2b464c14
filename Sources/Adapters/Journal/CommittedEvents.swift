import SQLite

/// The journal and the numbers of its events at the last commit, as noted beside the file.
///
/// With these notes a journal keeps its identity if both of its rows are damaged, and never reuses a number if that commit is lost.
struct CommittedEvents {
  /// The id of the database; `nil` before the first note.
  let database: Int64?
  /// The number of the journal in the database.
  let journal: Int64
  let first: Int64
  let last: Int64
  /// The text of the journal's identity.
  let identity: String?

  init(_ identity: JournalIdentity, _ journal: Int64, _ events: ClosedRange<UInt64>) {
    (database, self.journal, self.identity) = (nil, journal, identity.description)
    (first, last) = (Int64(clamping: events.lowerBound), Int64(clamping: events.upperBound))
  }

  /// Returns `nil` if there are no notes.
  init?(beside path: String) {
    guard let (database, notes) = RowChecks.notes(beside: path), notes.count >= 5, notes[1] > 0, notes[2] >= notes[1],
      notes[2] - notes[1] < 1 << 40
    else { return nil }
    (self.database, journal, first, last) = (database, notes[0], notes[1], notes[2])
    identity = JournalIdentity.text(of: Array(notes[3..<5]))
  }

  var notes: [Int64] { [journal, first, last] + (identity.flatMap { JournalIdentity.numbers(of: $0) } ?? [0, 0]) }
}
