import DeliveryScheduling
import Events
import Instants
import Records
import TestSupport
import Venues

@testable import Notification

/// A user with venues, whose offers, history and desktop outlive the notifier.
extension VenueOffersTests {
  final class FakeOffers: VenueOfferLink {
    var offers: [OfferReport] = []
    var failure: String?
    var registration = VenueRegistration.registered
    var monitored: [Set<String>] = []
    private(set) var requests = 0
    private let scheduler: ManualScheduler

    init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }

    func requestOffers(_ completion: @escaping (Result<[OfferReport], MonitorFailure>) -> Void) {
      requests += 1
      scheduler.enqueue { [offers, failure] in
        completion(failure.map { .failure(MonitorFailure($0)) } ?? .success(offers))
      }
    }

    func monitor(_ venues: Set<String>, completion: @escaping (VenueRegistration) -> Void) {
      monitored.append(venues)
      scheduler.enqueue { [registration] in completion(registration) }
    }
  }

  final class FakeDesktop: OfferDesktop {
    var onAnswer: (String, OfferAnswer) -> Void = { _, _ in }
    var onReturn: () -> Void = {}
    /// Runs before an offer is on the screen.
    var onShow: () -> Void = {}
    var display = OfferDisplay.shown(hasActions: true)
    var missing: Set<VenueLaunch> = []
    var failing: Set<VenueLaunch> = []
    var log: [String] = []
    private let scheduler: ManualScheduler

    init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }

    func show(_ offer: OfferReport, completion: @escaping (OfferDisplay) -> Void) {
      log.append("show \(offer.venue ?? "")")
      onShow()
      scheduler.enqueue { [display] in completion(display) }
    }

    func withdraw(_ venue: String) { log.append("withdraw \(venue)") }
    func isInstalled(_ launch: VenueLaunch) -> Bool { !missing.contains(launch) }

    func launch(_ launch: VenueLaunch, venue: String, token: String?, completion: @escaping (String?) -> Void) {
      log.append("launch \(launch)\(token.map { " with \($0)" } ?? "")")
      scheduler.enqueue { [failing] in completion(failing.contains(launch) ? "broken" : nil) }
    }
  }

  /// The user's surroundings, which survive the notifier.
  final class User {
    let scheduler = ManualScheduler()
    let lines = LogLines()
    let link: FakeOffers
    let file = FakeOfferFile()
    let desktop: FakeDesktop
    var service: VenueOffers
    var outcomes: [DeliveryOutcome] = []

    init() {
      link = FakeOffers(scheduler)
      desktop = FakeDesktop(scheduler)
      service = VenueOffers(scheduler, link, OfferDecisions(file, log: lines.logger), desktop, log: lines.logger)
      link.offers = [VenueOffersTests.offer("gallery", app: "org.example.Guide", page: "https://example.org")]
    }

    func restart() { service = VenueOffers(scheduler, link, OfferDecisions(file, log: lines.logger), desktop, log: lines.logger) }

    func start() {
      service.monitorChanged(isThere: true)
      scheduler.settle()
    }

    func deliver(_ kind: Event.Kind, _ state: String, venue: String = "gallery", age: Double = 0) {
      let event = Event.of([
        "sequence": .count(1), "event": .text(kind.rawValue), "region": .text(venue), "state": .text(state),
        "time": .time(scheduler.wallClock - .seconds(age)),
      ])
      service.deliver(Delivery(id: 1, message: "", event: event, json: "{}")) { [unowned self] in outcomes.append($0) }
      scheduler.settle()
    }

    func enter(_ venue: String = "gallery", age: Double = 0) { deliver(.enter, "inside", venue: venue, age: age) }
    func exit(_ venue: String = "gallery") { deliver(.exit, "outside", venue: venue) }
  }

  static func offer(_ venue: String, app: String? = nil, page: String? = nil, isImported: Bool = false) -> OfferReport {
    var offer = OfferReport()
    (offer.venue, offer.app, offer.page, offer.isImported) = (venue, app, page, isImported)
    return offer
  }
}
