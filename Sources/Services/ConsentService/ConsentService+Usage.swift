import Consent
import Instants
import Logging
import Scheduling
import Status

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

// MARK: Status

extension ConsentService {
  /// The decisions on consent, the oldest first.
  public var decisions: [PrivacyStatus.Decision] {
    policy.decisions.sorted { $0.value.time < $1.value.time }.map { subject, decision in
      var status = PrivacyStatus.Decision()
      (status.kind, status.number) = (subject.kind, UInt64(subject.number))
      (status.name, status.authorization) = (name(of: subject), decision.authorization)
      status.decidedBy = decision.author == .polkit ? .polkit : .administrator
      status.time = decision.time
      return status
    }
  }

  /// The requests for consent, the latest first.
  public var requests: [PrivacyStatus.Request] {
    saved {
      try (file?.requests() ?? []).map { request in
        var status = PrivacyStatus.Request()
        status.claim = claim(of: request.claimant)
        (status.authorization, status.time) = (verdict(forUser: request.claimant.user).authorization, request.time)
        return status
      }
    }
  }

  /// The periods in which a client received data, the latest first.
  public var uses: [PrivacyStatus.Use] {
    saved {
      try (file?.uses() ?? []).map { use in
        var status = PrivacyStatus.Use()
        status.claim = claim(of: use.claimant)
        (status.began, status.ended, status.inUse) = (use.began, use.ended, usage.isInUse(use.number))
        return status
      }
    }
  }

  private func saved<Entry>(_ body: () throws -> [Entry]) -> [Entry] {
    writeUsage()
    do {
      return try body()
    } catch {
      log.warning("cannot read uses of location services: \(error)")
      return []
    }
  }

  /// Returns a claimant for clients, with the name of its user.
  public func claim(of claimant: Claimant) -> PrivacyStatus.Claim {
    var claim = PrivacyStatus.Claim()
    (claim.user, claim.userName) = (UInt64(claimant.user), directory.userName(claimant.user))
    (claim.appID, claim.purpose) = (claimant.app?.description, claimant.purpose.description)
    return claim
  }

  func name(of subject: Subject) -> String? {
    switch subject {
    case .user(let number): directory.userName(number)
    case .group(let number): directory.groupName(number)
    }
  }
}
