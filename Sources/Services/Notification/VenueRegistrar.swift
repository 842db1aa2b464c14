import Consent
import Logging
import Scheduling
import Venues

/// Registers the regions of venues in a session of this user.
///
/// The session ends when the daemon has answered all requests, because registered regions outlive it. Without consent it stays open until
/// the daemon ends.
public final class VenueRegistrar: VenueOfferLink {
  private let scheduler: any Scheduler
  private let link: any VenueRegionLink
  private let log: Logger
  private var session: (any VenueSession)?
  private var wanted: Set<String> = []
  /// The requests that the daemon has not answered; nil before the registered regions are known.
  private var pending: Set<String>?
  /// The venues whose regions the user has not consented to.
  private var refused: Set<String> = []
  /// Takes the result of the last request; nil if it was reported.
  private var completion: ((VenueRegistration) -> Void)?
  /// The failure in the last log line.
  private var logged: String?

  public init(_ scheduler: any Scheduler, _ link: any VenueRegionLink, log: Logger) {
    (self.scheduler, self.link, self.log) = (scheduler, link, log)
  }

  public func requestOffers(_ completion: @escaping (Result<[OfferReport], MonitorFailure>) -> Void) { link.requestOffers(completion) }

  public func monitor(_ venues: Set<String>, completion: @escaping (VenueRegistration) -> Void) {
    wanted = venues
    (pending, refused) = (nil, [])
    self.completion = completion
    do throws(MonitorFailure) {
      session = try link.openVenueSession { [weak self] in self?.take($0) }
    } catch {
      session = nil
      scheduler.enqueue { [weak self] in self?.fail(error.reason) }
    }
  }

  private func take(_ event: VenueSessionEvent) {
    switch event {
    case .available where pending == nil:
      if let session { session.requestRegistered { [weak self, weak session] in self?.reconcile($0, session) } }
    case .registered(let venue): settle(venue)
    case .refused(let venue, let refusal):
      log.notice("entering the venue \"\(venue)\" is not reported: \(refusal.reason)")
      // A person who takes too long to answer is not asked repeatedly.
      if wanted.contains(venue), refusal.cause != .other { refused.insert(venue) }
      settle(venue, isRegistered: false)
    case .authorization(let authorization) where authorization.covers(.always):
      for venue in refused.sorted() { session?.setRegistered(true, venue) }
    case .away(let reason): fail(reason)
    default: break
    }
  }

  private func reconcile(_ answer: Result<Set<String>, MonitorFailure>, _ asked: (any VenueSession)?) {
    guard let session, session === asked else { return }
    switch answer {
    case .success(let registered):
      let (superfluous, missing) = (registered.subtracting(wanted), wanted.subtracting(registered))
      for venue in superfluous.sorted() { session.setRegistered(false, venue) }
      pending = missing
      for venue in missing.sorted() { session.setRegistered(true, venue) }
      if missing.isEmpty { finish(session) }
    case .failure(let failure): fail(failure.reason)
    }
  }

  private func settle(_ venue: String, isRegistered: Bool = true) {
    if isRegistered { refused.remove(venue) }
    pending?.remove(venue)
    guard pending?.isEmpty == true, let session else { return }
    // The session stays open after a refusal, to learn of a later consent.
    if refused.isEmpty { finish(session) } else { report(.withheld) }
  }

  /// Closes the session when the daemon has taken all requests, which it does in their order.
  private func finish(_ finished: any VenueSession) {
    finished.requestRegistered { [weak self, weak finished] answer in
      guard let self, let finished, session === finished else { return }
      switch answer {
      case .success(let registered) where registered == wanted:
        close()
        logged = nil
        report(.registered)
      case .success: fail("beaconmond does not have the regions of all venues")
      case .failure(let failure): fail(failure.reason)
      }
    }
  }

  private func fail(_ reason: String) {
    close()
    guard completion != nil else { return }
    if logged != reason {
      logged = reason
      log.notice("the regions of venues are not registered: \(reason)")
    }
    report(.failed(reason))
  }

  private func report(_ result: VenueRegistration) {
    completion?(result)
    completion = nil
  }

  private func close() {
    let closed = session
    session = nil
    (pending, refused) = (nil, [])
    // Released later, because its callback still uses it.
    scheduler.enqueue { withExtendedLifetime(closed) {} }
  }
}
