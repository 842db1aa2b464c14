import DeliveryScheduling
import Events
import Instants
import Records
import TestSupport
import Testing
import Venues

@testable import Notification

/// Entries and exits, in time or late.
extension VenueOffersTests {
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

  @Test func `offers are withdrawn when consent is revoked, and none is shown until the first visit with consent`() {
    let user = User()
    user.link.offers.append(Self.offer("shop", page: "https://example.org/shop"))
    user.enter()
    user.service.consentChanged(isGiven: false)
    #expect(user.desktop.log == ["show gallery", "withdraw gallery"])
    user.enter("shop")
    user.service.consentChanged(isGiven: false)
    user.service.consentChanged(isGiven: true)
    user.scheduler.advance(by: .seconds(7200))
    #expect(user.desktop.log == ["show gallery", "withdraw gallery"] && user.outcomes == [.delivered, .delivered])
    user.exit("shop")
    user.scheduler.advance(by: OfferHistory.absence)
    user.enter("shop")
    #expect(user.desktop.log.last == "show shop")
  }

  @Test func `an offer that is about to be shown when consent is revoked does not stay`() {
    let user = User()
    user.enter(age: 601)
    user.service.consentChanged(isGiven: false)
    user.service.consentChanged(isGiven: true)
    user.scheduler.advance(by: VenueOffers.latePause)
    user.scheduler.settle()
    #expect(user.desktop.log.isEmpty)
    user.desktop.onShow = { user.service.consentChanged(isGiven: false) }
    user.scheduler.advance(by: .seconds(90_000))
    user.enter()
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
}
