import DBus
import Deliveries
import Delivery
import EventLoop
import Events
import Instants
import Logging
import MonitorClient
import ProgramSupport

/// Moves events at the regions that this user's apps have registered into the outbox.
final class AppEvents {
  private static let purpose = "Wakes the apps that have registered regions"

  private let client: MonitorClient
  private let mailroom: Mailroom
  private let deliverers: Deliverers
  private let loop: Loop
  private let log: Logger
  private var events: RegisteredFollower?
  private var timer: Timer?
  private var hasSaidSo = false

  init(_ client: MonitorClient, _ mailroom: Mailroom, _ deliverers: Deliverers, _ loop: Loop, log: Logger) {
    (self.client, self.mailroom, self.deliverers, self.loop, self.log) = (client, mailroom, deliverers, loop, log)
    timer = loop.timer { [unowned self] in follow() }
  }

  /// Follows events from the place up to which all are in the outbox.
  /// A notifier that has never received an event begins with the first one that exists: its app has not been woken yet.
  func follow() {
    let events = client.followRegistered(from: mailroom.resume(.registered), purpose: Self.purpose) { [unowned self] in accept($0) }
    events.onCaughtUp = { [unowned self] in
      if !hasSaidSo { log.info("beaconmond is running; waiting for events of registered regions") }
      hasSaidSo = true
    }
    events.onTrouble = { [unowned self] in
      hasSaidSo = false
      log.warning("beaconmond does not report events of registered regions: \($0)")
    }
    self.events = events
  }

  /// Stops following, because the daemon went away.
  func lost() {
    hasSaidSo = false
  }

  private func accept(_ batch: [Event]) {
    for event in batch { if let notice = event.damageNotice { log.error("\(notice)") } }
    let ages = EventAges(batch, at: WallClock.now, isClockSet: WallClock.isSynchronised ?? false)
    guard !deliverers.acceptRegistered(batch, age: ages.age) else { return }
    // The disk fails, so the events are requested again from the stored place; not inside the follower's own callback, which still uses
    // it.
    loop.enqueue { [weak self] in self?.events = nil }
    timer?.arm(after: Mailroom.pause)
  }
}
