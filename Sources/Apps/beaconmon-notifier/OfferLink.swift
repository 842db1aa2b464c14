import Consent
import DBus
import EventLoop
import Logging
import MonitorClient
import Notification
import ProgramSupport
import Records
import Venues

/// The offers of the daemon on the bus, and the regions of venues in a session of this user.
///
/// The session ends when the daemon has answered all requests, because registered regions outlive it. Without consent it stays open until
/// the daemon ends.
final class OfferLink: VenueOfferLink {
  private static let purpose = "Offers the app or page of a venue when you enter it"

  private let loop: Loop
  private let address: BusAddress
  private let client: MonitorClient
  private let log: Logger
  private var session: RemoteSession?
  private var wanted: Set<String> = []
  /// The requests that the daemon has not answered; nil before the registered regions are known.
  private var pending: Set<String>?
  /// The venues whose regions the user has not consented to.
  private var refused: Set<String> = []
  /// Takes the result of the last request; nil if it was reported.
  private var completion: ((VenueRegistration) -> Void)?
  /// The failure in the last log line.
  private var logged: String?

  init(_ loop: Loop, _ address: BusAddress, _ client: MonitorClient, log: Logger) {
    self.loop = loop
    self.address = address
    self.client = client
    self.log = log
  }

  func requestOffers(_ completion: @escaping (Result<[OfferReport], MonitorFailure>) -> Void) {
    client.venueOffers(locale: MessageLocale.name) { answer in
      completion(answer.map { $0.map { OfferReport($0) } }.mapError { MonitorFailure($0.message) })
    }
  }

  func monitor(_ venues: Set<String>, completion: @escaping (VenueRegistration) -> Void) {
    wanted = venues
    (pending, refused) = (nil, [])
    self.completion = completion
    do throws(DBusError) {
      session = try RemoteSession(loop: loop, address: address, purpose: Self.purpose, appID: VenueOffers.appID) { [weak self] in
        self?.take($0)
      }
    } catch {
      session = nil
      loop.enqueue { [weak self] in self?.fail("\(error)") }
    }
  }

  private func take(_ event: RemoteSessionEvent) {
    switch event {
    case .available where pending == nil:
      if let session { session.registeredRegions { [weak self, weak session] in self?.reconcile($0, session) } }
    case .registered(let venue): settle(venue)
    case .registrationRefused(let venue, let error):
      log.notice("entering the venue \"\(venue)\" is not reported: \(error.message)")
      // A person who takes too long for the answer is not asked again and again.
      if wanted.contains(venue), error.isLackOfConsent || error.isStandard("NoReply") { refused.insert(venue) }
      settle(venue, isRegistered: false)
    case .authorization(let authorization, _) where authorization.covers(.always):
      for venue in refused.sorted() { session?.register(venue, Self.region(venue)) }
    case .away(let error): fail(error.message)
    default: break
    }
  }

  private func reconcile(_ answer: Result<[String], DBusError>, _ asked: RemoteSession?) {
    guard let session, session === asked else { return }
    switch answer {
    case .success(let registered):
      let (superfluous, missing) = (Set(registered).subtracting(wanted), wanted.subtracting(registered))
      for venue in superfluous.sorted() { session.register(venue, nil) }
      pending = missing
      for venue in missing.sorted() { session.register(venue, Self.region(venue)) }
      if missing.isEmpty { finish(session) }
    case .failure(let error): fail(error.message)
    }
  }

  private static func region(_ venue: String) -> Record { Record(["identifier": .text(venue), "venue": .text(venue)]) }

  private func settle(_ venue: String, isRegistered: Bool = true) {
    if isRegistered { refused.remove(venue) }
    pending?.remove(venue)
    guard pending?.isEmpty == true, let session else { return }
    // The session stays open after a refusal, to learn of a later consent.
    if refused.isEmpty { finish(session) } else { report(.withheld) }
  }

  /// Closes the session when the daemon has taken all requests, which it does in their order.
  private func finish(_ finished: RemoteSession) {
    finished.registeredRegions { [weak self, weak finished] answer in
      guard let self, let finished, session === finished else { return }
      switch answer {
      case .success(let registered) where Set(registered) == wanted:
        close()
        logged = nil
        report(.registered)
      case .success: fail("beaconmond does not have the regions of all venues")
      case .failure(let error): fail(error.message)
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
    loop.enqueue { withExtendedLifetime(closed) {} }
  }
}
