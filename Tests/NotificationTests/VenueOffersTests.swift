import DeliveryScheduling
import Events
import Instants
import Records
import TestSupport
import Testing
import Venues

@testable import Notification

/// The offers of venues on a manual clock.
@Suite struct VenueOffersTests {
  private final class FakeOffers: VenueOfferLink {
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

  private final class FakeHistory: OfferHistoryFile {
    var history = OfferHistory()
    var failure: String?

    func update<Value>(_ change: @escaping (inout OfferHistory) -> Value) -> Value {
      var unknown = OfferHistory(isUnverified: true)
      return failure == nil ? change(&history) : change(&unknown)
    }
  }

  private final class FakeDesktop: OfferDesktop {
    var onAnswer: (String, OfferAnswer) -> Void = { _, _ in }
    var onReturn: () -> Void = {}
    var display = OfferDisplay.shown(hasActions: true)
    var missing: Set<VenueLaunch> = []
    var failing: Set<VenueLaunch> = []
    var log: [String] = []
    private let scheduler: ManualScheduler

    init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }

    func show(_ offer: OfferReport, completion: @escaping (OfferDisplay) -> Void) {
      log.append("show \(offer.venue ?? "")")
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
  private final class User {
    let scheduler = ManualScheduler()
    let lines = LogLines()
    let link: FakeOffers
    let file = FakeHistory()
    let desktop: FakeDesktop
    var service: VenueOffers
    var outcomes: [DeliveryOutcome] = []

    init() {
      link = FakeOffers(scheduler)
      desktop = FakeDesktop(scheduler)
      service = VenueOffers(scheduler, link, file, desktop, log: lines.logger)
      link.offers = [VenueOffersTests.offer("gallery", app: "org.example.Guide", page: "https://example.org")]
    }

    func restart() { service = VenueOffers(scheduler, link, file, desktop, log: lines.logger) }

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

  private static func offer(_ venue: String, app: String? = nil, page: String? = nil, isImported: Bool = false) -> OfferReport {
    var offer = OfferReport()
    (offer.venue, offer.app, offer.page, offer.isImported) = (venue, app, page, isImported)
    return offer
  }

  // MARK: Regions

  @Test func `the regions of venues with offers are registered, and nothing is while no venue has any`() {
    let user = User()
    user.start()
    #expect(user.link.monitored == [["gallery"]])
    let other = User()
    other.link.offers = []
    other.start()
    #expect(other.link.monitored.isEmpty)
  }

  @Test func `a venue that is removed, muted, not allowed or not installed needs no region`() {
    let user = User()
    user.link.offers += [Self.offer("stranger", page: "https://example.org", isImported: true), Self.offer("shop", app: "a.b")]
    user.desktop.missing = [.desktopFile("a.b")]
    user.start()
    #expect(user.link.monitored == [["gallery"]])
    user.file.history.setMuted(true, "gallery")
    user.scheduler.advance(by: VenueOffers.refreshInterval)
    #expect(user.link.monitored.last == [])
    user.file.history.setMuted(false, "gallery")
    user.service.refresh()
    user.scheduler.settle()
    #expect(user.link.monitored.last == ["gallery"])
    user.restart()
    user.link.offers = []
    user.start()
    #expect(user.link.monitored.last == [])
    #expect(user.lines.all.contains { $0.contains("venue \"stranger\" was imported") && $0.contains("beaconmon venue allow stranger") })
    #expect(user.lines.all.contains { $0.contains("venue \"shop\" offers the app a.b, which is not installed") })
  }

  @Test func `regions that could not be registered are requested again with the next refresh`() {
    let user = User()
    user.link.registration = .failed("no session")
    user.start()
    user.link.registration = .registered
    user.scheduler.advance(by: VenueOffers.refreshInterval)
    user.scheduler.advance(by: VenueOffers.refreshInterval)
    #expect(user.link.monitored == [["gallery"], ["gallery"]])
  }

  @Test func `without consent the regions are requested again when the daemon starts, and not before`() {
    let user = User()
    user.link.registration = .withheld
    user.start()
    user.scheduler.advance(by: .seconds(7200))
    #expect(user.link.monitored == [["gallery"]])
    user.service.monitorChanged(isThere: false)
    user.start()
    #expect(user.link.monitored == [["gallery"], ["gallery"]])
  }

  @Test func `a daemon that starts gets no session from a user who never had a venue`() {
    let user = User()
    user.link.offers = []
    user.start()
    user.service.monitorChanged(isThere: false)
    user.start()
    #expect(user.link.monitored.isEmpty)
  }

  @Test func `a file that cannot be read for a moment ends no region`() {
    let user = User()
    user.start()
    user.file.failure = "open nearby: too many open files"
    user.scheduler.advance(by: VenueOffers.refreshInterval)
    #expect(user.link.monitored == [["gallery"]])
  }

  // MARK: Visits

  @Test func `an entry is offered once a visit, across restarts of the notifier and of the daemon`() {
    let user = User()
    user.start()
    user.enter()
    #expect(user.desktop.log == ["show gallery"] && user.outcomes == [.delivered])
    user.restart()
    user.start()
    user.enter()
    user.scheduler.advance(by: .seconds(3600))
    user.enter()
    user.exit()
    user.scheduler.advance(by: .seconds(1000))
    user.enter()
    #expect(user.desktop.log == ["show gallery"])
    user.exit()
    user.scheduler.advance(by: .seconds(1800))
    user.enter()
    #expect(user.desktop.log == ["show gallery", "show gallery"])
  }

  @Test func `an offer is withdrawn when the device leaves`() {
    let user = User()
    user.enter()
    user.exit()
    #expect(user.desktop.log == ["show gallery", "withdraw gallery"])
  }

  @Test func `an entry that is delivered late is offered if no exit follows it`() {
    let user = User()
    user.enter(age: 601)
    #expect(user.desktop.log.isEmpty && user.outcomes == [.delivered])
    user.exit()
    user.scheduler.advance(by: .seconds(60))
    #expect(user.desktop.log.isEmpty)
    user.scheduler.advance(by: .seconds(1800))
    user.enter(age: 100_000_000)
    user.scheduler.advance(by: .seconds(5))
    #expect(user.desktop.log == ["show gallery"])
  }

  @Test func `a late entry whose notifier is killed before the offer is shown is offered by the next one, once`() {
    let user = User()
    user.start()
    user.enter(age: 3600)
    #expect(user.outcomes == [.delivered] && user.desktop.log.isEmpty)
    user.restart()
    user.start()
    #expect(user.desktop.log.isEmpty)
    user.scheduler.advance(by: VenueOffers.latePause)
    user.scheduler.settle()
    #expect(user.desktop.log == ["show gallery"])
    user.restart()
    user.start()
    user.scheduler.advance(by: VenueOffers.latePause)
    user.scheduler.settle()
    #expect(user.desktop.log == ["show gallery"])
  }

  @Test func `a visit that ended while the notifier was killed, or that is older than a day, is not offered by the next one`() {
    for isOld in [false, true] {
      let user = User()
      user.start()
      user.enter(age: isOld ? OfferHistory.longestVisit.seconds : 3600)
      user.restart()
      user.start()
      if !isOld { user.exit() }
      user.scheduler.advance(by: VenueOffers.latePause)
      user.scheduler.settle()
      #expect(user.desktop.log.isEmpty)
    }
  }

  @Test func `an entry that is delivered again after a kill is shown once`() {
    let user = User()
    user.start()
    user.enter(age: 3600)
    user.restart()
    user.start()
    user.enter()
    user.scheduler.advance(by: VenueOffers.latePause)
    user.scheduler.settle()
    #expect(user.desktop.log == ["show gallery"])
  }

  @Test func `a late offer that fails is shown when the notification service or the daemon returns`() {
    let user = User()
    user.desktop.display = .absent("no service")
    user.enter(age: 601)
    user.scheduler.advance(by: VenueOffers.latePause)
    user.desktop.display = .shown(hasActions: true)
    user.desktop.onReturn()
    user.scheduler.settle()
    user.desktop.onReturn()
    user.scheduler.settle()
    #expect(user.desktop.log == ["show gallery", "show gallery"])
    let other = User()
    other.link.failure = "away"
    other.enter(age: 601)
    other.scheduler.advance(by: VenueOffers.latePause)
    other.link.failure = nil
    other.start()
    #expect(other.desktop.log == ["show gallery"])
  }

  @Test func `a late offer that failed is dropped when the device leaves`() {
    let user = User()
    user.desktop.display = .absent("no service")
    user.enter(age: 601)
    user.scheduler.advance(by: VenueOffers.latePause)
    user.exit()
    user.desktop.onReturn()
    user.scheduler.settle()
    #expect(user.desktop.log == ["show gallery"])
  }

  @Test func `an offer waits for the daemon and for the notification service`() {
    let user = User()
    user.link.failure = "away"
    user.enter()
    user.link.failure = nil
    user.desktop.display = .absent("no service")
    user.enter()
    user.desktop.display = .shown(hasActions: true)
    user.enter()
    user.enter()
    #expect(user.desktop.log == ["show gallery", "show gallery"])
    #expect(
      user.outcomes == [
        .failed("beaconmond does not report the offers of venues: away"),
        .failed("the offer of venue \"gallery\" is not shown: no service"),
        .delivered, .delivered,
      ])
  }

  @Test func `a venue without an offer is not offered`() {
    let user = User()
    user.enter("other")
    #expect(user.desktop.log.isEmpty && user.outcomes == [.delivered])
  }

  @Test func `an imported venue launches nothing until the user allows exactly this launch`() {
    let user = User()
    user.link.offers = [Self.offer("stranger", page: "https://example.org/1", isImported: true)]
    user.enter("stranger")
    #expect(user.desktop.log.isEmpty)
    user.file.history.allow("page https://example.org/2", "stranger")
    user.enter("stranger")
    #expect(user.desktop.log.isEmpty)
    user.file.history.allow("page https://example.org/1", "stranger")
    user.enter("stranger")
    #expect(user.desktop.log == ["show stranger"])
  }

  // MARK: Answers

  @Test func `the app is launched, and the page if the app cannot be`() {
    let user = User()
    user.enter()
    user.desktop.failing = [.desktopFile("org.example.Guide")]
    user.desktop.onAnswer("gallery", .open(token: "t"))
    user.scheduler.settle()
    #expect(
      user.desktop.log == ["show gallery", "launch app org.example.Guide with t", "launch page https://example.org with t"])
    #expect(user.lines.all.contains("venue \"gallery\": cannot launch the app org.example.Guide: broken"))
    #expect(user.lines.all.contains("venue \"gallery\": launched the page https://example.org"))
  }

  @Test func `an app that is not installed is passed over`() {
    let user = User()
    user.desktop.missing = [.desktopFile("org.example.Guide")]
    user.enter()
    user.desktop.onAnswer("gallery", .open(token: nil))
    user.scheduler.settle()
    #expect(user.desktop.log == ["show gallery", "launch page https://example.org"])
  }

  @Test func `an answer is taken once, and only for an offer that is shown`() {
    let user = User()
    user.desktop.onAnswer("gallery", .open(token: nil))
    user.enter()
    user.desktop.onAnswer("gallery", .open(token: nil))
    user.desktop.onAnswer("gallery", .open(token: nil))
    user.scheduler.settle()
    #expect(user.desktop.log.count { $0.hasPrefix("launch") } == 1)
  }

  @Test func `not again mutes the venue for good and ends its region`() {
    let user = User()
    user.start()
    user.enter()
    user.desktop.onAnswer("gallery", .mute)
    #expect(user.file.history.isMuted("gallery") && user.link.monitored == [["gallery"], []])
    user.exit()
    user.scheduler.advance(by: .seconds(7200))
    user.enter()
    #expect(user.desktop.log == ["show gallery"])
    #expect(user.lines.all.contains { $0.contains("beaconmon venue unmute gallery") })
  }

  @Test func `a notification service without actions is named in the log`() {
    let user = User()
    user.desktop.display = .shown(hasActions: false)
    user.enter()
    #expect(user.lines.all.contains { $0.contains("the notification service has no actions") && $0.contains("app org.example.Guide") })
  }

  // MARK: Cost

  @Test func `a notifier without venues asks for offers four times an hour, and not at all while the daemon is away`() {
    let user = User()
    user.link.offers = []
    user.start()
    user.scheduler.advance(by: .seconds(3600))
    #expect(user.link.requests == 5)
    user.service.monitorChanged(isThere: false)
    user.scheduler.advance(by: .seconds(36_000))
    #expect(user.link.requests == 5)
  }
}
