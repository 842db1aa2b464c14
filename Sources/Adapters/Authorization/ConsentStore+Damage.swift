import Consent
import SQLite

extension ConsentStore {
  /// Compares the rows with their checksums and head rows.
  ///
  /// Removes and reports damaged rows of the log and of registrations. Damaged decisions put all of them in doubt, and stay until an
  /// administrator decides.
  func inspect(_ path: String) {
    do throws(DatabaseError) {
      var findings: [String] = []
      for table in CheckedTable.decisive {
        let finding = try checks.findings(in: table)
        if !finding.isIntact { findings.append("\(table.meaning): \(finding)") }
      }
      let unknown = try rows().count { $0.isIntact && ($0.subject == nil || $0.decision == nil) }
      if unknown > 0 { findings.append("\(CheckedTable.decision.meaning): \(unknown) invalid") }
      try compareCommits(path)
      if !findings.isEmpty {
        doubt("\(path) is damaged: \(findings.joined(separator: "; ")); denials may be lost; readable ones still apply")
      }
      // Off also if the new file could not be created after the old one was moved aside: its switch and decisions are unknown.
      if try switchPosition() == nil, UnreadableFile.hasMovedAside(path) {
        doubt("an unreadable file of decisions was moved to \(path).1 or another number")
      }
    } catch {
      doubt("\(error); decisions cannot be read")
    }
    for table in CheckedTable.consent where !CheckedTable.decisive.contains(table) { dropDamage(of: table, path) }
  }

  /// Compares the file with the count of commits beside it, because an older copy of the file is consistent in itself.
  ///
  /// A different count stays as it is until an administrator uses the switch, so that the next start is in doubt too.
  func compareCommits(_ path: String) throws(DatabaseError) {
    let checks = try checks
    switch access {
    case .kept:
      if let lost = try checks.lostCommits(beside: path) {
        doubt("\(path): \(lost); denials may be lost")
      } else {
        try checks.countCommits(beside: path)
      }
    case .readOnly: if let lost = try checks.lostCommits(beside: path) { doubt("\(path): \(lost); denials may be lost") }
    case .unreadable: break
    }
  }

  func doubt(_ reason: String) {
    isInDoubt = true
    report(reason)
  }

  private func report(_ reason: String) {
    note = [note, reason].compactMap(\.self).joined(separator: "; ")
  }

  private func dropDamage(of table: CheckedTable, _ path: String) {
    do throws(DatabaseError) {
      let finding = try checks.findings(in: table)
      guard !finding.isIntact else { return }
      report("\(path) is damaged: \(table.meaning): \(finding)\(table == .registration ? "; apps must register them again" : "")")
      try database.transaction { () throws(DatabaseError) in
        _ = try checks.removeDamagedRows(of: table)
        try checks.rebuildHead(of: table)
      }
    } catch {
      report("\(error); \(table.meaning) cannot be read")
    }
  }

  /// Initialises the replacement of a file that was moved aside: location services off, and its readable denials.
  func keep(_ denials: [Subject: Decision]) {
    do throws(DatabaseError) {
      if let path, case .kept = access { try checks.countCommits(beside: path) }
      try database.transaction { () throws(DatabaseError) in
        try setSwitch(false)
        for (subject, decision) in denials { try write(decision, for: subject) }
      }
    } catch {
      doubt("\(error); the readable denials could not be saved")
    }
  }
}

extension CheckedTable {
  static let decisive = [CheckedTable.switch, decision]

  /// The name of the table in messages.
  var meaning: String {
    switch self {
    case .switch: "the switch"
    case .decision: "decisions"
    case .request: "requests"
    case .use: "uses"
    default: "registered regions"
    }
  }
}
