import Consent
import DBus
import EventLoop
import MonitorClient
import Notification
import ProgramSupport
import Records
import Venues

/// The offers of venues on the bus, and sessions for their regions.
final class OfferLink: VenueRegionLink {
  private static let purpose = "Offers the app or page of a venue when you enter it"

  private let loop: Loop
  private let address: BusAddress
  private let client: MonitorClient

  init(_ loop: Loop, _ address: BusAddress, _ client: MonitorClient) {
    (self.loop, self.address, self.client) = (loop, address, client)
  }

  func requestOffers(_ completion: @escaping (Result<[OfferReport], MonitorFailure>) -> Void) {
    client.venueOffers(locale: MessageLocale.name) { answer in
      completion(answer.map { $0.map { OfferReport($0) } }.mapError { MonitorFailure($0.message) })
    }
  }

  func openVenueSession(_ handler: @escaping (VenueSessionEvent) -> Void) throws(MonitorFailure) -> any VenueSession {
    do throws(DBusError) {
      return try RemoteSession(loop: loop, address: address, purpose: Self.purpose, appID: VenueOffers.appID) {
        if let event = VenueSessionEvent($0) { handler(event) }
      }
    } catch {
      throw MonitorFailure("\(error)")
    }
  }
}

extension RemoteSession: VenueSession {
  public func setRegistered(_ isRegistered: Bool, _ venue: String) {
    if isRegistered { register(RequestedRegion(venue, .place(nil, level: nil, venue: venue))) } else { unregister(venue) }
  }

  public func requestRegistered(_ completion: @escaping (Result<Set<String>, MonitorFailure>) -> Void) {
    registeredRegions { completion($0.map { Set($0) }.mapError { MonitorFailure($0.message) }) }
  }
}

extension VenueSessionEvent {
  /// Returns nil for an event that does not concern regions of venues.
  fileprivate init?(_ event: RemoteSessionEvent) {
    switch event {
    case .available: self = .available
    case .away(let error): self = .away(error.message)
    case .registered(let venue): self = .registered(venue)
    case .registrationRefused(let venue, let error): self = .refused(venue, SessionRefusal(error))
    case .authorization(let authorization, _): self = .authorization(authorization)
    default: return nil
    }
  }
}

extension SessionRefusal {
  init(_ error: DBusError) {
    self.init(error.isLackOfConsent ? .noConsent : error.isStandard("NoReply") ? .noAnswer : .other, error.message)
  }
}
