import FleetMessages
import Instants

/// The consent of this device's users: the shares that they have offered, and those that they have accepted.
///
/// Only a call of a user begins or accepts a share here. The hub can end a share and report answers of recipients that an offer names, and
/// nothing else.
public struct SharingConsent: Hashable, Sendable {
  /// The maximum number of shares of this device at a time.
  public static let mostShares = 8
  /// The longest share.
  public static let longest = Span.seconds(Double(ShareMessage.longestSeconds))

  /// The hub, and this device there; nil before the first one. The recipients are those of its site.
  var hub: String?
  public internal(set) var shares: [OwnShare] = []
  public private(set) var friends: [Friend] = []
  /// The shares that a user has accepted here, and their ends since the Unix epoch.
  var accepted: [ShareID: Instant] = [:]
  /// The messages about ends and answers that the hub has not acknowledged, with the ends of the shares since the Unix epoch.
  var unsent: [Unsent] = []

  struct Unsent: Hashable, Sendable {
    let message: ShareMessage
    let ends: Instant
  }

  public init() {}

  /// Whether there is no consent, and no message about an earlier one.
  public var isEmpty: Bool { shares.isEmpty && accepted.isEmpty && unsent.isEmpty }

  /// The messages that the hub needs after each connection. It ignores those that it knows.
  public var messages: [ShareMessage] { shares.map { .offer($0.offer) } + unsent.map(\.message) }

  /// The shares for which this device sends its position.
  public func active(at clock: SharingClock) -> [OwnShare] {
    shares.filter { $0.isAccepted && !$0.period.isOver(at: clock) && $0.period.isCredible(clock) }
  }

  /// The time on the steady clock at which the next share ends; nil without one.
  public func nextEnd(at clock: SharingClock) -> Instant? {
    (shares.map(\.period) + friends.map(\.period)).map { $0.nextEnd(at: clock) }.min()
  }

  // MARK: Own shares

  /// Offers the position of this device.
  ///
  /// - Parameter user: the user who offers.
  public mutating func offer(
    to recipients: [ShareParty], purpose: String, for span: Span, by user: UInt32, at clock: SharingClock
  ) throws(SharingError) -> ShareID {
    guard !recipients.isEmpty else { throw SharingError(.invalid, "name a recipient: a person, role:operator, or device:hall") }
    guard recipients.count <= ShareOffer.mostRecipients, Set(recipients).count == recipients.count else {
      throw SharingError(.invalid, "a share has at most \(ShareOffer.mostRecipients) recipients, each of them once")
    }
    guard ShareOffer.isPurpose(purpose) else {
      throw SharingError(.invalid, "the purpose has 1 to \(ShareOffer.longestPurpose) octets in one line")
    }
    guard span >= .seconds(60), span <= Self.longest else { throw SharingError(.invalid, "a share lasts 1 minute to 24 hours") }
    guard shares.count < Self.mostShares else {
      throw SharingError(.tooMany, "this device has \(Self.mostShares) shares; end one with \"beaconmon share stop\"")
    }
    let share = OwnShare(
      id: .random(), purpose: purpose, recipients: recipients, user: user, period: SharingPeriod(for: span, from: clock))
    shares.append(share)
    return share.id
  }

  /// Ends a share of this device. Returns false if there is none.
  public mutating func stop(_ id: ShareID) -> Bool {
    guard let index = shares.firstIndex(where: { $0.id == id }) else { return false }
    let share = shares.remove(at: index)
    unsent.append(Unsent(message: .end(id), ends: share.ends))
    return true
  }

  // MARK: Friends

  /// Accepts an offer, or declines it, which also leaves an accepted share. Returns false if there is no such offer.
  public mutating func answer(_ id: ShareID, isAccepted: Bool) -> Bool {
    guard let index = friends.firstIndex(where: { $0.id == id }) else { return false }
    let ends = friends[index].ends
    if isAccepted {
      friends[index].isAccepted = true
      accepted[id] = ends
    } else {
      friends.remove(at: index)
      accepted[id] = nil
    }
    unsent.removeAll { if case .answer(id, _) = $0.message { true } else { false } }
    unsent.append(Unsent(message: .answer(id, isAccepted: isAccepted), ends: ends))
    return true
  }

  // MARK: The hub and the time

  /// Uses a hub, and ends everything of a former one, whose recipients are others.
  ///
  /// Returns the shares of this device that have ended.
  public mutating func use(hub: String) -> [OwnShare] {
    defer { self.hub = hub }
    guard let former = self.hub, former != hub else { return [] }
    let ended = shares
    (shares, friends, accepted, unsent) = ([], [], [:], [])
    return ended
  }

  /// Notes that the hub has a message.
  public mutating func noteSent(_ message: ShareMessage) { unsent.removeAll { $0.message == message } }

  /// Applies a notice of the hub. Returns the shares of this device that the hub has ended.
  ///
  /// The hub may lie: it cannot begin a share, add a recipient to an offer, or prolong a share, and this device accepts nothing by itself.
  public mutating func take(_ notice: SharingNotice, at clock: SharingClock) -> [OwnShare] {
    var ended: [OwnShare] = []
    for index in shares.indices.reversed() {
      if let answers = notice.answers[shares[index].id] {
        shares[index].answers = answers.filter { shares[index].recipients.contains($0.key) }
        shares[index].isKnown = true
      } else if shares[index].isKnown {
        ended.append(shares.remove(at: index))
      }
    }
    let earlier = Dictionary(friends.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var seen: Set<ShareID> = []
    friends = notice.offers.compactMap { offer in
      guard seen.insert(offer.id).inserted, !isDeclined(offer.id) else { return nil }
      let end = min(offer.ends, clock.wall + Self.longest)
      let period = earlier[offer.id]?.period ?? SharingPeriod(from: clock.wall, to: end, at: clock)
      guard !period.isOver(at: clock) else { return nil }
      let isAccepted = accepted[offer.id] != nil
      return Friend(
        id: offer.id, owner: offer.owner, tag: offer.tag, purpose: offer.purpose, period: period, isAccepted: isAccepted,
        location: isAccepted ? offer.location : nil)
    }
    return ended.reversed()
  }

  private func isDeclined(_ id: ShareID) -> Bool { unsent.contains { $0.message == .answer(id, isAccepted: false) } }

  /// Ends everything whose time is over. Returns the shares of this device that have ended.
  public mutating func advance(to clock: SharingClock) -> [OwnShare] {
    let ended = shares.filter { $0.period.isOver(at: clock) }
    shares.removeAll { $0.period.isOver(at: clock) }
    for share in ended { unsent.append(Unsent(message: .end(share.id), ends: share.ends)) }
    friends.removeAll { $0.period.isOver(at: clock) }
    // The hub has ended a share by itself an hour after its end, whatever its clock.
    let old = clock.wall - .seconds(3600)
    accepted = accepted.filter { $0.value > old }
    unsent.removeAll { $0.ends < old }
    return ended
  }

  /// Forgets what the hub has reported about others, because no message reports the end of their shares.
  public mutating func forgetFriends() { friends = [] }
}

/// The reason why a request about shares is refused.
public struct SharingError: Error, Hashable, Sendable {
  public enum Reason: Sendable {
    case invalid
    case tooMany
    case unknown
    /// The configuration has no hub.
    case noHub
    /// The consent cannot be stored.
    case notStored
  }

  public let reason: Reason
  public let message: String

  public init(_ reason: Reason, _ message: String) {
    (self.reason, self.message) = (reason, message)
  }
}

extension ShareParty {
  /// Reads the recipients of an offer; throws if a text names no party.
  public static func recipients(_ texts: [String]) throws(SharingError) -> [ShareParty] {
    try texts.map { (text) throws(SharingError) in
      if let party = ShareParty(text) { return party }
      throw SharingError(
        .invalid,
        "\"\(text)\" is not a recipient; write a person of the hub, role:viewer, role:operator, role:owner, or device: and a device of the site"
      )
    }
  }
}
