import Diagnostics
import FleetMessages
import Instants
import Records

/// A notice of the hub to a device: the answers to its own shares, and those that others offer to it.
///
/// A notice replaces the one before. Nothing in it is trusted: see `SharingConsent.take`.
public struct SharingNotice: Hashable, Sendable {
  /// The maximum number of shares in each list. Further ones are left out.
  public static let mostShares = 24

  public struct Offer: Hashable, Sendable {
    public var id: ShareID
    public var owner: ShareParty
    public var tag: String?
    public var purpose: String
    /// The end since the Unix epoch.
    public var ends: Instant
    public var location: FriendLocation?
  }

  public var answers: [ShareID: [ShareParty: OwnShare.Answer]] = [:]
  public var offers: [Offer] = []

  /// Decodes the JSON that Docs/fleet/people.md describes; nil for any other text. Damaged entries are left out.
  public init?(_ octets: [UInt8]) {
    guard octets.count <= FleetMessage.maximumSize, let text = String(validating: octets, as: UTF8.self),
      let record = try? Record(foreignJSON: text), record["v"]?.whole == 1
    else { return nil }
    for share in record["shares"]?.list?.prefix(Self.mostShares) ?? [] {
      guard let id = share["id"]?.text.flatMap(ShareID.init) else { continue }
      var answers: [ShareParty: OwnShare.Answer] = [:]
      for recipient in share["recipients"]?.list?.prefix(ShareOffer.mostRecipients) ?? [] {
        guard let party = recipient["name"]?.text.flatMap(ShareParty.init) else { continue }
        answers[party] = recipient["state"]?.text.flatMap(OwnShare.Answer.init)
      }
      self.answers[id] = answers
    }
    offers = (record["offers"]?.list?.prefix(Self.mostShares) ?? []).compactMap { Offer($0) }
  }
}

extension SharingNotice.Offer {
  fileprivate init?(_ record: Record) {
    guard let id = record["id"]?.text.flatMap(ShareID.init), let owner = record["owner"]?.text.flatMap(ShareParty.init),
      let purpose = record["purpose"]?.text, let ends = record["ends"]?.whole, let end = Instant(milliseconds: ends)
    else { return nil }
    (self.id, self.owner, self.ends) = (id, owner, end)
    tag = record["tag"]?.text.map { $0.line(upTo: SharedPosition.longestText) }
    self.purpose = purpose.line(upTo: ShareOffer.longestPurpose)
    if let time = record["time"]?.whole, let time = Instant(milliseconds: time) {
      location = FriendLocation(
        position: SharedPosition(record), room: record["room"]?.text.map { $0.line(upTo: SharedPosition.longestText) }, time: time)
    }
  }
}

extension SharedPosition {
  fileprivate init?(_ record: Record) {
    guard let latitude = record["latitude"]?.number, let longitude = record["longitude"]?.number, (-90...90).contains(latitude),
      (-180...180).contains(longitude)
    else { return nil }
    func text(_ key: String) -> String? { record[key]?.text.map { $0.line(upTo: Self.longestText) } }
    self.init(
      latitude: latitude, longitude: longitude, accuracy: record["accuracy"]?.number.flatMap { (0...1e7).contains($0) ? $0 : nil },
      floor: record["floor"]?.whole.flatMap { (-1000...1000).contains($0) ? Int($0) : nil }, level: text("level"), venue: text("venue"),
      place: text("place"))
  }
}

extension Instant {
  /// Nil beyond the year 9999.
  fileprivate init?(milliseconds: Int64) {
    guard (0...253_402_300_799_999).contains(milliseconds) else { return nil }
    self.init(microseconds: milliseconds * 1000)
  }
}

extension String {
  /// Returns one printable line of at most `limit` characters.
  fileprivate func line(upTo limit: Int) -> String { String(String(prefix(limit)).printableLine) }
}
