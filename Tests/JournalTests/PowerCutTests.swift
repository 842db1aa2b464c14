import Instants
import Journal
import TestSupport
import Testing

/// Disks after a power cut: they hold everything up to the last commit that returned, and any part of later writes.
@Suite struct PowerCutTests {
  private struct Disk {
    var database: [UInt8]
    var log: [UInt8]
    /// The last number committed at that time.
    var sequence: UInt64
  }

  private func disk(of file: JournalFile, _ sequence: UInt64) throws -> Disk {
    Disk(database: try file.octets(), log: try file.octets("-wal"), sequence: sequence)
  }

  /// Opens the files, and checks that no committed event is missing.
  private func check(_ database: [UInt8], _ log: [UInt8], holds sequence: UInt64, _ name: String) throws {
    let rest = try JournalFile()
    try Octets.write(database, to: rest.path)
    try Octets.write(log, to: rest.path + "-wal")
    let journal = rest.open()
    #expect(journal.isDurable && journal.note == nil, "\(name): \(journal.note ?? "")")
    #expect(journal.lastSequence >= sequence && journal.numbers() == Array(1...journal.lastSequence), "\(name)")
    // The journal continues.
    journal.commit(journal.lastSequence + 1...journal.lastSequence + 1)
    #expect(journal.isDurable, "\(name)")
    _ = consume journal
    // Another process takes time, so only every fourth file is checked by it.
    if sequence.isMultiple(of: 4) { #expect(try rest.integrity() == "ok", "\(name)") }
  }

  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `a power cut at any instant loses no event that was sent`(seed: UInt64) throws {
    print("power cut seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let file = try JournalFile()
    let journal = file.open()
    journal.commit(1...1)
    var before = try disk(of: file, 1)
    // The steps are enough for several checkpoints and restarts of the log.
    for step in 0..<40 {
      let count = UInt64.random(in: 1...60, using: &random)
      journal.commit(before.sequence + 1...before.sequence + count)
      let after = try disk(of: file, before.sequence + count)
      let name = "seed \(seed) step \(step)"
      if after.database == before.database {
        // The log grew, or restarted from the present database. Any part of the new octets is on the disk, and the last one is damaged.
        let written = Int.random(in: 0...after.log.count, using: &random)
        var log = after.log.prefix(written) + before.log.dropFirst(written)
        let same = zip(after.log, before.log).prefix { $0 == $1 }.count
        if same < written { log[Int.random(in: same..<written, using: &random)] ^= 0xFF }
        try check(before.database, Array(log), holds: before.sequence, name)
      } else {
        // During a checkpoint the log is on the disk completely, and the database in part, page by page.
        var database = after.database
        for page in stride(from: 0, to: min(before.database.count, database.count), by: 4096) where Bool.random(using: &random) {
          database.replaceSubrange(page..<page + 4096, with: before.database[page..<page + 4096])
        }
        try check(database, after.log, holds: after.sequence, name)
      }
      before = after
    }
    try check(before.database, before.log, holds: before.sequence, "seed \(seed) end")
  }
}
