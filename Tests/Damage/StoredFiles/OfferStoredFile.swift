import Instants
import LocalTargets
import Logging
import Notification
import Venues

/// The user's file of decisions about the offers of venues. A venue that was muted must never be offered because of damage.
struct OfferStoredFile: StoredFile {
  let name = "nearby"
  let fileName = OfferFile.name
  let isDatabase = false

  private static let log = Logger(label: "nearby") { _ in SwiftLogNoOpLogHandler() }

  private func decisions(_ path: String) -> OfferDecisions { OfferDecisions(OfferFile(path: path), log: Self.log) }

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, OfferHistory) throws -> Void) throws {
    for form in Form.allCases {
      let decisions = decisions("\(folder)/\(fileName)")
      for number in 0..<Int.random(in: 1...12, using: &random) {
        let venue = "venue-\(number)"
        let choice = Int.random(in: 0..<4, using: &random)
        let entered = Instant(microseconds: .random(in: 1...2_000_000_000_000_000, using: &random))
        decisions.update { history in
          switch choice {
          case 0: history.setMuted(true, venue)
          case 1: history.allow("page https://example.org/\(number)", venue)
          default:
            _ = history.enter(venue, at: entered)
            history.noteOffered(venue)
            if choice == 3 { history.leave(venue, at: entered + .seconds(5)) }
          }
        }
      }
      try keep(form, decisions.update { $0 })
    }
  }

  func judge(_ folder: String, untouched: String, truths: [OfferHistory]) throws -> Verdict {
    var verdict = Verdict()
    let path = "\(folder)/\(fileName)"
    let loaded = decisions(path).update { $0 }
    let isThere = Files.exists("\(untouched)/\(fileName)")
    verdict.compare(with: truths + (isThere ? [] : [OfferHistory()])) { truth, verdict in
      for (venue, entry) in truth.entries {
        if entry.isMuted { verdict.expect(loaded.isMuted(venue), "\(venue) is not muted any more") }
        if loaded.entries[venue] == nil { verdict.reportedLosses += 1 }
      }
      for (venue, entry) in loaded.entries {
        verdict.expect(truth.entries[venue] == entry, "\(venue) has a wrong entry")
      }
      verdict.expect(loaded.isUnverified || loaded.entries == truth.entries, "entries are lost without notice")
    }
    decisions(path).update { $0.setMuted(true, "next") }
    verdict.expect(decisions(path).update { $0.isMuted("next") }, "the next decision is lost")
    return verdict
  }
}
