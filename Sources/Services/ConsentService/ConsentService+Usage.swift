import Consent
import Instants
import Logging
import Records
import Scheduling

// MARK: Usage

extension ConsentService {
  /// Records that a session of the client receives locations or beacons, until `end` was called as often.
  public func begin(_ client: ConsentClient) {
    usage.begin(client.claimant, at: scheduler.wallClock)
    noteUsage()
  }

  public func end(_ client: ConsentClient) {
    usage.end(client.claimant, at: scheduler.wallClock)
    noteUsage()
  }

  /// Writes usage to the file: now, if the last write was a while ago, and otherwise a while after it.
  func noteUsage() {
    guard usage.hasNews, writing?.due == nil else { return }
    writing?.arm(at: max(scheduler.now, lastWritten.map { $0 + ConsentLog.interval } ?? scheduler.now))
  }

  /// Writes the usage that is not in the file yet.
  public func writeUsage() {
    let now = scheduler.wallClock
    lastWritten = scheduler.now
    write { try file?.write(&usage, at: now) }
    // Usage that the file does not take must not fill the memory.
    usage.settle(at: now)
  }

  /// Writes to the file, and logs a failure, which does not revoke an allowed use.
  func write(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      log.warning("cannot save uses of location services: \(error)")
    }
  }
}

// MARK: Records

extension ConsentService {
  /// The decisions on consent.
  ///
  /// Each has `kind` (`user` or `group`), `number`, `name`, `authorization`, `decidedBy` (`administrator` or `polkit`) and `time`.
  public var decisions: [Record] {
    policy.decisions.sorted { $0.value.time < $1.value.time }.map { subject, decision in
      Record([
        "kind": .text(subject.kind), "number": .count(UInt64(subject.number)), "name": name(of: subject).map { .text($0) },
        "authorization": .text(decision.authorization.rawValue),
        "decidedBy": .text(decision.author == .polkit ? "polkit" : "administrator"), "time": .time(decision.time),
      ])
    }
  }

  /// The requests for consent, the latest first: `user`, `userName`, `appId`, `purpose`, `time`, `authorization`.
  public var requests: [Record] {
    records {
      try (file?.requests() ?? []).map { request in
        var record = record(of: request.claimant)
        let person = directory.person(request.claimant.user, groups: nil)
        record.append("authorization", .text(policy.verdict(for: person).authorization.rawValue))
        record.append("time", .time(request.time))
        return record
      }
    }
  }

  /// The periods in which a client received data, the latest first: `user`, `userName`, `appId`, `purpose`, `began`, `ended`.
  public var uses: [Record] {
    records {
      try (file?.uses() ?? []).map { use in
        var record = record(of: use.claimant)
        record.append("began", .time(use.began))
        record.append("ended", use.ended.map { .time($0) })
        record.append("inUse", .flag(usage.isInUse(use.number)))
        return record
      }
    }
  }

  private func records(_ body: () throws -> [Record]) -> [Record] {
    writeUsage()
    do {
      return try body()
    } catch {
      log.warning("cannot read uses of location services: \(error)")
      return []
    }
  }

  /// Returns the fields of a claimant: `user`, `userName`, `appId` and `purpose`.
  public func record(of claimant: Claimant) -> Record {
    Record([
      "user": .count(UInt64(claimant.user)), "userName": directory.person(claimant.user, groups: []).name.map { .text($0) },
      "appId": claimant.app.map { .text($0.description) }, "purpose": .text(claimant.purpose.description),
    ])
  }

  func name(of subject: Subject) -> String? {
    switch subject {
    case .user(let number): directory.person(number, groups: []).name
    case .group(let number): directory.groupName(number)
    }
  }
}
