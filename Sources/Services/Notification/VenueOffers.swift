import DeliveryScheduling
import Events
import Instants
import Logging
import Scheduling
import Venues

/// Offers the app or page of a venue on entry, once in each visit.
///
/// Entries and exits are events of regions that this service registers for the user. They are journaled and delivered like those of any
/// app, so none is lost while either program is down.
public final class VenueOffers: ReturningTarget {
  /// The name under which the regions are registered.
  public static let appID = "org.beaconmon.Nearby"
  /// The minimum age of an entry whose exit may follow soon, because the notifier or the session was away.
  static let lateAge = Span.seconds(600)
  /// The time for which a late entry waits for its exit before it is offered.
  static let latePause = Span.seconds(5)
  /// The interval of the checks of the venues and of the user's decisions.
  static let refreshInterval = Span.seconds(900)

  /// A late entry.
  private enum LateEntry {
    /// Waits for the exit of the venue until this timer fires.
    case waiting(any SchedulerTimer)
    case offering
    /// The daemon or the notification service was unavailable. The offer is repeated when either returns.
    case failed
  }

  public var onReturn: () -> Void = {}
  private let scheduler: any Scheduler
  private let link: any VenueOfferLink
  let decisions: OfferDecisions
  let desktop: any OfferDesktop
  let log: Logger
  /// The offers that are shown, by venue.
  var shown: [String: OfferReport] = [:]
  /// The venues in the last request for regions; nil if the daemon may not have their regions.
  private(set) var monitored: Set<String>?
  /// Whether regions were requested before.
  private var hasMonitored = false
  private var isMonitorThere = false
  /// Whether the user consents to the regions of venues; true until the daemon reports otherwise.
  private var hasConsent = true
  /// Whether the visits were resumed whose offers an earlier process did not show.
  private var hasResumed = false
  private var timer: (any SchedulerTimer)?
  /// The late entries whose offers are not shown, by venue.
  private var late: [String: LateEntry] = [:]
  /// The reason in the log for each venue that is not offered.
  private var logged: [String: String] = [:]

  public init(
    _ scheduler: any Scheduler, _ link: any VenueOfferLink, _ decisions: OfferDecisions, _ desktop: any OfferDesktop, log: Logger
  ) {
    self.scheduler = scheduler
    self.link = link
    self.decisions = decisions
    self.desktop = desktop
    self.log = log
    timer = scheduler.timer { [unowned self] in refresh() }
    desktop.onAnswer = { [unowned self] in answer($0, $1) }
    desktop.onReturn = { [unowned self] in
      onReturn()
      offerFailed()
    }
  }

  /// Call when the daemon appears or disappears.
  public func monitorChanged(isThere: Bool) {
    isMonitorThere = isThere
    guard isThere else {
      timer?.arm(at: .never)
      return
    }
    // A new daemon asks for consent again, and may have lost regions.
    monitored = nil
    refresh()
  }

  /// Call when it is known whether the user consents to registered regions, and at each change.
  ///
  /// Without consent the daemon does not report that the device leaves, so the offers of the present visits end.
  public func consentChanged(isGiven: Bool) {
    hasConsent = isGiven
    guard !isGiven else { return }
    late = [:]
    for venue in shown.keys.sorted() { withdraw(venue) }
  }

  /// Registers the regions of the venues whose offers the user wants.
  ///
  /// Call this when the venues or the decisions may have changed.
  public func refresh() {
    guard isMonitorThere else { return }
    timer?.arm(at: scheduler.now + Self.refreshInterval)
    offerFailed()
    link.requestOffers { [weak self] answer in
      switch answer {
      case .success(let offers): self?.follow(offers)
      case .failure(let failure): self?.log.info("beaconmond does not report the offers of venues: \(failure.reason)")
      }
    }
  }

  private func follow(_ offers: [OfferReport]) {
    let history = decisions.update { $0 }
    // A file that cannot be read for a moment must not end regions.
    guard decisions.failure == nil || !history.isUnverified else { return }
    for offer in offers { explain(offer, history) }
    resume(history)
    let wanted = Set(offers.filter { history.permits($0) && !launches(of: $0).isEmpty }.compactMap(\.venue))
    // Without any venue, now or before, this user needs no session.
    guard monitored != wanted, hasMonitored || !wanted.isEmpty || !history.entries.isEmpty else { return }
    decisions.update { history in for venue in wanted { history.note(venue) } }
    monitor(wanted)
  }

  func monitor(_ wanted: Set<String>) {
    (monitored, hasMonitored) = (wanted, true)
    link.monitor(wanted) { [weak self] result in
      // The next refresh tries again, but a refusal is final until the daemon starts, so that the user is not asked repeatedly.
      if case .failed = result { self?.monitored = nil }
    }
  }

  /// Logs once why a venue is not offered.
  private func explain(_ offer: OfferReport, _ history: OfferHistory) {
    guard let venue = offer.venue else { return }
    var reason: String?
    if history.isMuted(venue) {
      reason = "is muted; `beaconmon venue unmute \(venue)` shows its offers again"
    } else if !history.permits(offer) {
      reason = "was imported and would launch \(offer.target); `beaconmon venue allow \(venue)` allows that"
    } else if launches(of: offer).isEmpty {
      reason = "offers the \(offer.target), which is not installed"
    }
    guard logged[venue] != reason else { return }
    logged[venue] = reason
    if let reason { log.notice("venue \"\(venue)\" \(reason)") }
  }

  func launches(of offer: OfferReport) -> [VenueLaunch] { offer.launches.filter(desktop.isInstalled) }

  // MARK: Visits

  /// Shows the offers of the present visits that an earlier process settled and did not show, because it was killed before.
  ///
  /// As after a late entry, an exit may follow.
  private func resume(_ history: OfferHistory) {
    guard !hasResumed else { return }
    hasResumed = true
    for venue in history.unseen(at: scheduler.wallClock) where late[venue] == nil { awaitExit(venue) }
  }

  private func awaitExit(_ venue: String) {
    let timer = scheduler.timer { [weak self] in self?.offerLate(venue) }
    timer.arm(at: scheduler.now + Self.latePause)
    late[venue] = .waiting(timer)
  }

  public func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    let event = delivery.event
    func settle(_ outcome: DeliveryOutcome = .delivered) { scheduler.enqueue { completion(outcome) } }
    guard let venue = event.region, let time = event.time else { return settle() }
    if event.kind == .enter {
      guard decisions.update({ $0.enter(venue, at: time) }) else { return settle() }
      if scheduler.wallClock - time <= Self.lateAge {
        late[venue] = nil
        return link.requestOffers { [weak self] answer in self?.offer(venue, answer, completion) }
      }
      awaitExit(venue)
    } else if event.state == .outside {
      late[venue] = nil
      decisions.update { $0.leave(venue, at: time) }
      withdraw(venue)
    }
    settle()
  }

  private func withdraw(_ venue: String) {
    if shown.removeValue(forKey: venue) != nil { desktop.withdraw(venue) }
  }

  private func offerLate(_ venue: String) {
    late[venue] = .offering
    link.requestOffers { [weak self] answer in
      guard let self, case .offering = late[venue] else { return }
      // The delivery of the entry may have shown it in the meantime.
      guard !decisions.update({ $0.entries[venue]?.isOffered == true }) else {
        late[venue] = nil
        return
      }
      offer(venue, answer) { [weak self] in self?.offeredLate(venue, $0) }
    }
  }

  private func offeredLate(_ venue: String, _ outcome: DeliveryOutcome) {
    var isFailed = false
    switch outcome {
    case .delivered: break
    case .failed(let reason, _):
      isFailed = true
      log.warning("\(reason)")
    case .refused(let reason): log.warning("\(reason)")
    }
    // The device may have left or entered again in the meantime.
    if case .offering = late[venue] { late[venue] = isFailed ? .failed : nil }
  }

  /// Repeats the late offers that failed.
  private func offerFailed() {
    for venue in late.keys.sorted() {
      if case .failed = late[venue] { offerLate(venue) }
    }
  }

  private func offer(
    _ venue: String, _ answer: Result<[OfferReport], MonitorFailure>, _ completion: @escaping (DeliveryOutcome) -> Void
  ) {
    switch answer {
    case .failure(let failure): completion(.failed("beaconmond does not report the offers of venues: \(failure.reason)"))
    case .success(let offers):
      guard let offer = offers.first(where: { $0.venue == venue }) else { return completion(.delivered) }
      let history = decisions.update { $0 }
      explain(offer, history)
      guard hasConsent, history.permits(offer), !launches(of: offer).isEmpty else { return completion(.delivered) }
      desktop.show(offer) { [weak self] in self?.wasShown($0, offer, venue, completion) }
    }
  }

  private func wasShown(
    _ display: OfferDisplay, _ offer: OfferReport, _ venue: String, _ completion: @escaping (DeliveryOutcome) -> Void
  ) {
    switch display {
    case .shown(let hasActions):
      decisions.update { $0.noteOffered(venue) }
      shown[venue] = offer
      if !hasActions {
        log.warning("the notification service has no actions, so the offer of venue \"\(venue)\" cannot launch the \(offer.target)")
      }
      if !hasConsent { withdraw(venue) }
      completion(.delivered)
    case .absent(let reason): completion(.failed("the offer of venue \"\(venue)\" is not shown: \(reason)"))
    case .refused(let reason): completion(.refused("the offer of venue \"\(venue)\" is not shown: \(reason)"))
    }
  }
}
