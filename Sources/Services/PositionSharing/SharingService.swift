import Consent
import DeliveryScheduling
import FleetMessages
import FleetReporting
import Instants
import Logging
import Records
import Scheduling
import Sharing
import Status

/// Shares the position of this device with recipients of its site, and receives the positions that others share with it.
///
/// A position leaves this device only while a share lasts that a user has offered here and a recipient has accepted. The consent is a file
/// of this device. A consent that cannot be stored, or read again, does not count.
public final class SharingService: HubConnectionUser {
  /// The shortest time between two positions of a share.
  static let pace = Span.seconds(10)
  /// The longest time between two positions of a share.
  static let longestPause = Span.seconds(60)
  /// The minimum distance in metres at which a position counts as another one.
  static let step = 3.0
  /// The interval of the checks of the wall clock, which may be set at any time.
  static let checkInterval = Span.seconds(15)

  private let scheduler: any Scheduler
  private let file: (any SharingFile)?
  private let source: any PositionSource
  private let log: Logger
  private var consent: SharingConsent
  private weak var target: (any FleetTarget)?
  private var senders: [ShareID: PositionSender] = [:]
  private let journal = StreamJournal(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  private var lastMessage: Int64 = 0
  private var timer: (any SchedulerTimer)?
  /// The time before which no unknown shares are ended again, so that a flood of notices causes no flood of messages.
  private var nextCleanUp = Instant(microseconds: .min)
  private var notices: NoticeLimit?
  /// Whether the hub has sent the shares since the connection.
  private var hasNotice = false
  /// The shares, the friends and the hub of the last callback.
  private var reported: [[Record]] = [[], []]
  /// A callback after each change of shares, friends or the hub.
  public var onChange: () -> Void = {}

  /// - Parameter file: nil keeps consent until the program ends.
  public init(_ scheduler: any Scheduler, _ file: (any SharingFile)?, _ source: any PositionSource, log: Logger) {
    (self.scheduler, self.file, self.source, self.log) = (scheduler, file, source, log)
    consent = SharingConsent.stored(in: file, at: SharingClock(steady: scheduler.now, wall: scheduler.wallClock), log)
    timer = scheduler.timer { [unowned self] in check() }
    notices = NoticeLimit(scheduler, log) { [unowned self] notice throws(SharingError) in try take(notice) }
    if !consent.shares.isEmpty { log.notice("\(Count.text(consent.shares.count, "share")) of an earlier run") }
    check()
  }

  private var clock: SharingClock { SharingClock(steady: scheduler.now, wall: scheduler.wallClock) }

  /// The shares of this device.
  public var shares: [Record] {
    consent.shares.map { share in
      var record = share.record
      record.append("sending", .flag(senders[share.id] != nil && target?.isConnected == true))
      return record
    }
  }

  /// The shares that were offered to this device.
  public var friends: [Record] { consent.friends.filter { !$0.isOver(at: clock) }.map(\.record) }

  /// The connection to the hub.
  public var hub: HubStatus { HubStatus(isConnected: target?.isConnected == true, trouble: target?.trouble, hasListedShares: hasNotice) }

  // MARK: Requests of users

  /// Offers the position of this device.
  public func offer(
    to recipients: [ShareParty], purpose: String, for span: Span, by user: UInt32
  ) throws(SharingError) -> ShareID {
    guard target != nil else {
      throw SharingError(.noHub, "this device has no hub; enrol it, and add [notifier.hub] to the config")
    }
    var next = consent
    let id = try next.offer(to: recipients, purpose: purpose, for: span, by: user, at: clock)
    try store(next)
    log.notice(
      "user \(user) offers the position of this device to \(recipients.map(\.description).joined(separator: ", ")) for \(span.text)",
      metadata: ["share": "\(id)"])
    if let share = consent.shares.first(where: { $0.id == id }) { send(.offer(share.offer)) }
    changed()
    return id
  }

  /// Ends a share of this device. No position is sent after this call begins.
  public func stop(_ id: ShareID, by user: UInt32) throws(SharingError) {
    var next = consent
    guard next.stop(id) else { throw SharingError(.unknown, "this device has no such share; \"beaconmon share list\" lists them") }
    senders[id] = nil
    consent = next
    log.notice("user \(user) ends a share", metadata: ["share": "\(id)"])
    send(.end(id))
    changed()
    try storeRevocation()
  }

  /// Accepts or declines an offer to this device.
  public func answer(_ id: ShareID, isAccepted: Bool, by user: UInt32) throws(SharingError) {
    var next = consent
    guard next.answer(id, isAccepted: isAccepted) else {
      throw SharingError(.unknown, "there is no such offer; \"beaconmon friends list\" lists them")
    }
    if isAccepted { try store(next) } else { consent = next }
    log.notice("user \(user) \(isAccepted ? "accepts" : "declines") a share", metadata: ["share": "\(id)"])
    send(.answer(id, isAccepted: isAccepted))
    changed()
    if !isAccepted { try storeRevocation() }
  }

  private func store(_ next: SharingConsent) throws(SharingError) {
    do { try file?.write(next.text) } catch { throw SharingError(.notStored, "the consent cannot be stored: \(error)") }
    consent = next
  }

  /// Stores that consent has ended. If the file cannot be written, it must not bring the consent back.
  private func storeRevocation() throws(SharingError) {
    do { try file?.write(consent.text) } catch {
      log.error("the file of shares cannot be written: \(error)")
      guard file?.remove() != true else { return }
      throw SharingError(
        .notStored, "the share has ended, but the file of shares can be neither written nor removed (\(error)); remove it before a restart")
    }
  }
}

// MARK: The hub

extension SharingService: HubMessageReceiver {
  /// Uses the connection of a hub; nil without one, and then nothing is sent.
  public func use(_ target: (any FleetTarget)?, of hub: String) {
    guard self.target !== target else { return }
    self.target = target
    if target != nil { end(besides: hub) }
    connectionChanged()
  }

  /// Ends the shares with recipients of a former hub or site.
  private func end(besides hub: String) {
    let former = consent
    close(consent.use(hub: hub), "a share has ended, because this device has another hub or site")
    // The consent of an earlier version names no hub, and gets the first one.
    guard consent != former, !former.isEmpty else { return }
    do { try storeRevocation() } catch { log.error("\(error.message)") }
  }

  public func connectionChanged() {
    hasNotice = false
    notices?.forget()
    if target?.isConnected == true {
      for message in consent.messages { send(message) }
      send(.refresh)
    } else {
      // No message would report that a friend has ended a share.
      consent.forgetFriends()
    }
    for sender in senders.values { sender.connectionChanged() }
    report()
  }

  public func receive(_ payload: [UInt8]) throws { try notices?.receive(payload) }

  private func take(_ notice: SharingNotice) throws(SharingError) {
    hasNotice = target?.isConnected == true
    let ended = consent.take(notice, at: clock)
    close(ended, "the hub has ended a share")
    // A share without consent, such as one whose file was lost, ends at the hub too.
    if scheduler.now >= nextCleanUp {
      let unknown = notice.answers.keys.filter { id in !consent.shares.contains { $0.id == id } }
      for id in unknown { send(.end(id)) }
      if !unknown.isEmpty { nextCleanUp = scheduler.now + Self.pace }
    }
    changed()
    if !ended.isEmpty { try storeRevocation() }
  }

  private func send(_ share: ShareMessage) {
    guard let target, target.isConnected else { return }
    lastMessage += 1
    // Messages that the hub needs are sent again with another number.
    let message = FleetMessage(
      journal: journal, sequence: lastMessage, floor: lastMessage, time: scheduler.wallClock.microseconds / 1000, body: .share(share))
    target.publish(message) { [weak self] in self?.settled(share, isAcknowledged: $0) }
  }

  private func settled(_ share: ShareMessage, isAcknowledged: Bool) {
    if case .position(let id, _) = share { senders[id]?.settled() }
    guard isAcknowledged else { return }
    let before = consent
    consent.noteSent(share)
    guard consent != before else { return }
    // The message is sent again after a restart if this fails.
    do { try file?.write(consent.text) } catch { log.warning("the file of shares cannot be written: \(error)") }
  }
}

// MARK: Time and positions

extension SharingService {
  /// Ends what is over, and begins or ends sending.
  private func check() {
    let ended = consent.advance(to: clock)
    close(ended, "a share is over")
    for share in ended { send(.end(share.id)) }
    changed()
    // A file that still has the share is not consent for longer, because its end is in it.
    if !ended.isEmpty { do { try file?.write(consent.text) } catch { log.warning("the file of shares cannot be written: \(error)") } }
  }

  private func close(_ ended: [OwnShare], _ reason: Logger.Message) {
    for share in ended {
      senders[share.id] = nil
      log.notice(reason, metadata: ["share": "\(share.id)"])
    }
  }

  private func changed() {
    let active = consent.active(at: clock)
    let ids = Set(active.map(\.id))
    senders = senders.filter { ids.contains($0.key) }
    for share in active where senders[share.id] == nil {
      senders[share.id] = PositionSender(scheduler) { [unowned self] position in
        // The clocks may have ended the share since the last check.
        guard consent.active(at: clock).contains(where: { $0.id == share.id }), target?.isConnected == true else { return false }
        send(.position(share.id, position))
        return true
      }
      let purpose = String("Shares this position: \(share.purpose)".prefix(Purpose.longest))
      let take: (SharedPosition?) -> Void = { [weak self] in self?.senders[share.id]?.take($0) }
      senders[share.id]?.locating = SharedLocating(scheduler, source, for: purpose, log: log, take)
    }
    timer?.arm(at: consent.nextEnd(at: clock).map { min($0, scheduler.now + Self.checkInterval) } ?? .never)
    report()
  }

  private func report() {
    let present = [shares, friends, [hub.record]]
    guard present != reported else { return }
    reported = present
    onChange()
  }
}
