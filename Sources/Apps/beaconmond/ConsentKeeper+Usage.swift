import Authorization
import Consent
import EventLoop
import Logging
import MonitorService
import ProgramSupport
import Records
import SQLite

// MARK: Usage

extension ConsentKeeper {
  func begin(_ client: ConsentClient) {
    usage.begin(client.claimant, at: WallClock.now)
    noteUsage()
  }

  func end(_ client: ConsentClient) {
    usage.end(client.claimant, at: WallClock.now)
    noteUsage()
  }

  var decisions: [Record] {
    policy.decisions.sorted { $0.value.time < $1.value.time }.map { subject, decision in
      Record([
        "kind": .text(subject.kind), "number": .count(UInt64(subject.number)), "name": subject.name.map { .text($0) },
        "authorization": .text(decision.authorization.rawValue),
        "decidedBy": .text(decision.author == .polkit ? "polkit" : "administrator"), "time": .time(decision.time),
      ])
    }
  }

  var requests: [Record] {
    records { () throws(DatabaseError) in
      try (store?.requests() ?? []).map { request in
        var record = request.claimant.record
        let person = UserDirectory.person(request.claimant.user, groups: nil)
        record.append("authorization", .text(policy.verdict(for: person).authorization.rawValue))
        record.append("time", .time(request.time))
        return record
      }
    }
  }

  var uses: [Record] {
    records { () throws(DatabaseError) in
      try (store?.uses() ?? []).map { use in
        var record = use.claimant.record
        record.append("began", .time(use.began))
        record.append("ended", use.ended.map { .time($0) })
        record.append("inUse", .flag(usage.isInUse(use.number)))
        return record
      }
    }
  }

  private func records(_ body: () throws(DatabaseError) -> [Record]) -> [Record] {
    writeUsage()
    do throws(DatabaseError) {
      return try body()
    } catch {
      log.warning("who uses the service cannot be read: \(error)")
      return []
    }
  }
}

extension ConsentClient {
  var claimant: Claimant { Claimant(user: person.number, app: app, purpose: purpose) }
}

extension Claimant {
  var record: Record {
    Record([
      "user": .count(UInt64(user)), "userName": UserDirectory.person(user, groups: []).name.map { .text($0) },
      "appId": app.map { .text($0.description) }, "purpose": .text(purpose.description),
    ])
  }
}
