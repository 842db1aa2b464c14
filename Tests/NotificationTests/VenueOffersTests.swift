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

  @Test func `the answer Not again mutes the venue for good and ends its region`() {
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
