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
/// The session ends when the daemon has answered all requests, because registered regions outlive it.
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

  func monitor(_ venues: Set<String>) {
    wanted = venues
    pending = nil
    do throws(DBusError) {
      session = try RemoteSession(loop: loop, address: address, purpose: Self.purpose, appID: VenueOffers.appID) { [weak self] in
        self?.take($0)
      }
    } catch {
      log.error("the regions of venues cannot be registered: \(error)")
    }
  }

  private func take(_ event: RemoteSessionEvent) {
    switch event {
    case .available where pending == nil: session?.registeredRegions { [weak self] in self?.reconcile($0) }
    case .registered(let venue): settle(venue)
    case .registrationRefused(let venue, let error):
      log.notice("entering the venue \"\(venue)\" is not reported: \(error.message)")
      settle(venue)
    default: break
    }
  }

  private func reconcile(_ registered: Result<[String], DBusError>) {
    guard case .success(let registered) = registered, let session else { return }
    let (superfluous, missing) = (Set(registered).subtracting(wanted), wanted.subtracting(registered))
    for venue in superfluous.sorted() { session.register(venue, nil) }
    pending = missing
    for venue in missing.sorted() { session.register(venue, Record(["identifier": .text(venue), "venue": .text(venue)])) }
    if missing.isEmpty { finish(session) }
  }

  private func settle(_ venue: String) {
    pending?.remove(venue)
    if pending?.isEmpty == true, let session { finish(session) }
  }

  /// Closes the session when the daemon has taken all requests, which it does in their order.
  private func finish(_ finished: RemoteSession) {
    finished.registeredRegions { [weak self, weak finished] _ in
      guard let self, let finished, session === finished else { return }
      session = nil
      // Released later, because its callback still uses it.
      loop.enqueue { withExtendedLifetime(finished) {} }
    }
  }
}
