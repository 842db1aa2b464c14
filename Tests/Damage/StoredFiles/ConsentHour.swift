import Authorization
import Consent
import Instants
import SQLite
import Seeds

extension ConsentStoredFile: FaultyFile {
  /// The decisions so far. After an error the disk may still contain the refused change.
  private struct Decided {
    /// The decisions that the file may hold by user, the acknowledged one first.
    var decisions: [Subject: [Decision?]] = [:]
    var switches: [Bool] = [true]
    /// Whether a start reported that part of the file is lost or unreadable. Then only denials have to last.
    var isReported = false
  }

  func playHour(in folder: String, _ fault: Fault) throws -> Verdict {
    var verdict = Verdict()
    var decided = Decided()
    var random = SeededGenerator(seed: 11)
    var place = folder
    fault.begin()
    do {
      play("\(folder)/\(fileName)", 0..<30, &decided, &verdict, using: &random) {
        place = try restartFolder(folder, fault)
      }
    }
    play("\(place)/\(fileName)", 30..<60, &decided, &verdict, using: &random) {}
    Fault.end()
    let started = Self.start("\(place)/\(fileName)")
    check(started, decided, "after the end", &verdict)
    checkMending("\(place)/\(fileName)", started, &verdict)
    return verdict
  }

  private func play(
    _ path: String, _ minutes: Range<Int>, _ decided: inout Decided, _ verdict: inout Verdict, using random: inout SeededGenerator,
    atEnd: () throws -> Void
  ) {
    do {
      // A file that cannot be opened switches location services off, and decisions in memory end with the process.
      let store = try ConsentStore(path: path)
      if store.note != nil { decided.isReported = true }
      if store.note == nil, let isEnabled = attempt({ try store.isEnabled() }), let decisions = attempt({ try store.decisions() }) {
        var started = Started()
        (started.isEnabled, started.decisions) = (isEnabled, decisions)
        check(started, decided, "after a start", &verdict)
      }
      for minute in minutes {
        let subject = Subject.user(1000 + UInt32.random(in: 0...5, using: &random))
        let authorization: Authorization = [.denied, .always].randomElement(using: &random) ?? .denied
        let decision = Decision(authorization, by: .administrator(0), at: Instant(microseconds: Int64(minute) * 60_000_000))
        let isDone = attempt { try store.set(decision, for: subject) } != nil
        // A store that reports that it is in memory may lose the decision with the process.
        decided.decisions[subject] = isDone && store.note == nil ? [decision] : (decided.decisions[subject] ?? [nil]) + [decision]
        if minute % 13 == 5 {
          let isOn = minute % 2 == 0
          decided.switches = attempt { try store.setEnabled(isOn) } != nil && store.note == nil ? [isOn] : decided.switches + [isOn]
        }
        if minute % 10 == 3, let app = AppID("org.example.Guide"), let purpose = Purpose("Shows the exhibit") {
          var log = ConsentLog()
          log.begin(Claimant(user: 1000, app: app, purpose: purpose), at: Instant(microseconds: 0))
          _ = attempt { try store.write(&log, at: Instant(microseconds: 0)) }
        }
      }
      try atEnd()
    } catch {
      do { try atEnd() } catch { verdict.faults.append("the trial itself failed: \(error)") }
    }
  }

  private func check(_ started: Started, _ decided: Decided, _ when: String, _ verdict: inout Verdict) {
    guard !started.isReported, !decided.isReported else {
      verdict.expect(!started.isEnabled || decided.switches.contains(true), "the switch is on \(when)")
      let opened = permissions(started).filter {
        mayBe($0.key, decided).allSatisfy { !$0.covers(.whenInUse) } && $0.value.covers(.whenInUse)
      }
      verdict.expect(opened.isEmpty, "users \(opened.keys.sorted()) may do \(when) what was denied")
      return
    }
    verdict.expect(
      decided.switches.contains(started.isEnabled), "the switch is \(started.isEnabled ? "on" : "off") \(when) and nothing says why")
    for (subject, decisions) in decided.decisions {
      verdict.expect(
        decisions.contains(started.decisions[subject]),
        "\(subject) is \(Self.text(started.decisions[subject])) \(when) instead of \(decisions.map(Self.text)), and nothing says why")
    }
  }

  private static func text(_ decision: Decision?) -> String {
    decision.map { "\($0.authorization.rawValue) of minute \($0.time.microseconds / 60_000_000)" } ?? "not decided"
  }

  private func permissions(_ started: Started) -> [UInt32: Authorization] { Self.permissions(started.isEnabled, started.decisions) }

  /// Returns the authorizations that a user may have, by the decisions that the file may hold.
  ///
  /// Without a decision, it is `always`.
  private func mayBe(_ user: UInt32, _ decided: Decided) -> [Authorization] {
    (decided.decisions[.user(user)] ?? [nil]).map { $0?.authorization ?? .always }
  }

  private func attempt<Value>(_ body: () throws -> Value) -> Value? {
    do { return try body() } catch { return nil }
  }
}
