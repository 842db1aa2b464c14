import FleetMessages
import Instants
import Records

extension SharingConsent {
  /// The consent as a file keeps it, without the answers and positions of others.
  public var text: String {
    Record([
      "version": .count(1), "hub": hub.map { .text($0) },
      "shares": .list(
        shares.map { share in
          Record([
            "id": .text("\(share.id)"), "purpose": .text(share.purpose), "user": .count(UInt64(share.user)),
            "begins": .integer(share.period.begins.microseconds), "ends": .integer(share.ends.microseconds),
            "recipients": .list(share.recipients.map { Record(["name": .text("\($0)")]) }),
          ])
        }),
      "accepted": .list(
        accepted.sorted { $0.value < $1.value }.map { Record(["id": .text("\($0.key)"), "ends": .integer($0.value.microseconds)]) }),
      "unsent": .list(unsent.compactMap { $0.record }),
    ]).json + "\n"
  }

  /// Reads a file. Nil if any of it cannot be read: a damaged consent does not count.
  ///
  /// Shares whose time is over end with the next `advance`.
  public init?(text: String, at clock: SharingClock) {
    guard let record = try? Record(json: text), record["version"]?.whole == 1, let shares = record["shares"]?.list,
      let accepted = record["accepted"]?.list, let unsent = record["unsent"]?.list, shares.count <= Self.mostShares
    else { return nil }
    self.init()
    // A version before this key stored none.
    hub = record["hub"]?.text
    for record in shares {
      guard let share = OwnShare(record, at: clock) else { return nil }
      self.shares.append(share)
    }
    for record in accepted {
      guard let id = record["id"]?.text.flatMap(ShareID.init), let ends = record.instant("ends") else { return nil }
      self.accepted[id] = ends
    }
    for record in unsent {
      guard let unsent = Unsent(record) else { return nil }
      self.unsent.append(unsent)
    }
  }
}

extension OwnShare {
  fileprivate init?(_ record: Record, at clock: SharingClock) {
    guard let id = record["id"]?.text.flatMap(ShareID.init), let purpose = record["purpose"]?.text,
      let user = record["user"]?.whole.flatMap(UInt32.init(exactly:)), let begins = record.instant("begins"),
      let ends = record.instant("ends"), ends > begins, ends - begins <= SharingConsent.longest,
      let names = record["recipients"]?.list, (1...ShareOffer.mostRecipients).contains(names.count)
    else { return nil }
    let recipients = names.compactMap { $0["name"]?.text.flatMap(ShareParty.init) }
    guard recipients.count == names.count else { return nil }
    self.init(
      id: id, purpose: purpose, recipients: recipients, user: user, period: SharingPeriod(from: begins, to: ends, at: clock))
  }
}

extension SharingConsent.Unsent {
  fileprivate var record: Record? {
    switch message {
    case .end(let id): Record(["id": .text("\(id)"), "ends": .integer(ends.microseconds)])
    case .answer(let id, let isAccepted):
      Record(["id": .text("\(id)"), "ends": .integer(ends.microseconds), "accepted": .flag(isAccepted)])
    case .offer, .position, .refresh: nil
    }
  }

  fileprivate init?(_ record: Record) {
    guard let id = record["id"]?.text.flatMap(ShareID.init), let ends = record.instant("ends") else { return nil }
    self.ends = ends
    switch record["accepted"] {
    case .flag(let isAccepted): message = .answer(id, isAccepted: isAccepted)
    case nil: message = .end(id)
    default: return nil
    }
  }
}

extension Record {
  fileprivate func instant(_ key: String) -> Instant? { self[key]?.whole.map { Instant(microseconds: $0) } }
}

extension RecordValue {
  /// The whole number; nil for another value.
  var whole: Int64? {
    switch self {
    case .count(let count): Int64(exactly: count)
    case .integer(let integer): integer
    default: nil
    }
  }
}
