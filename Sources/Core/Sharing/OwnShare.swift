import FleetMessages
import Instants
import Records

/// A share of this device's position, which a user of this device has offered.
public struct OwnShare: Hashable, Sendable {
  /// The answer of a recipient, as the hub reports it.
  public enum Answer: String, Sendable, CaseIterable {
    case offered
    case accepted
    case declined
    /// The hub knows no such recipient at this site.
    case unknown
  }

  public let id: ShareID
  public let purpose: String
  public let recipients: [ShareParty]
  /// The user of this device who has offered the share.
  public let user: UInt32
  let period: SharingPeriod
  /// The answers that the hub has reported; none before its first report about this share.
  var answers: [ShareParty: Answer] = [:]
  /// Whether the hub has reported this share.
  var isKnown = false

  /// The end since the Unix epoch.
  public var ends: Instant { period.ends }

  public var isAccepted: Bool { answers.values.contains(.accepted) }

  /// The offer as the hub receives it.
  public var offer: ShareOffer {
    ShareOffer(id: id, ends: period.ends.microseconds / 1000, purpose: purpose, recipients: recipients)
  }

  /// The share as clients see it.
  public var record: Record {
    Record([
      "id": .text("\(id)"), "purpose": .text(purpose), "begins": .time(period.begins), "ends": .time(period.ends),
      "user": .count(UInt64(user)),
      "recipients": .list(
        recipients.map { party in
          Record(["name": .text("\(party)"), "state": answers[party].map { .text($0.rawValue) }])
        }),
    ])
  }
}

/// A share of another owner's position, which was offered to this device.
public struct Friend: Hashable, Sendable {
  public let id: ShareID
  public let owner: ShareParty
  /// The tag of a person; nil for the share of a device.
  public let tag: String?
  public let purpose: String
  let period: SharingPeriod
  /// Whether a user of this device has accepted the share here.
  public internal(set) var isAccepted: Bool
  /// The newest position; nil before the first, and for a share that is not accepted here.
  public internal(set) var location: FriendLocation?

  /// The end since the Unix epoch.
  public var ends: Instant { period.ends }

  public func isOver(at clock: SharingClock) -> Bool { period.isOver(at: clock) }

  /// The share as clients see it.
  public var record: Record {
    var record = Record([
      "id": .text("\(id)"), "owner": .text("\(owner)"), "tag": tag.map { .text($0) }, "purpose": .text(purpose),
      "ends": .time(period.ends), "state": .text(isAccepted ? "accepted" : "offered"),
    ])
    if let location { record.append(location.record) }
    return record
  }
}

/// The place of a friend, as far as it is known.
public struct FriendLocation: Hashable, Sendable {
  public var position: SharedPosition?
  /// The room in which a tag is by the decision of the hub, or where a device hangs.
  public var room: String?
  /// The time since the Unix epoch.
  public var time: Instant

  public init(position: SharedPosition?, room: String?, time: Instant) {
    (self.position, self.room, self.time) = (position, room, time)
  }

  var record: Record {
    Record([
      "latitude": position.map { .degreesOnEarth($0.latitude) }, "longitude": position.map { .degreesOnEarth($0.longitude) },
      "horizontalAccuracy": position?.accuracy.map { .metres($0) }, "floor": position?.floor.map { .integer(Int64($0)) },
      "level": position?.level.map { .text($0) }, "venue": position?.venue.map { .text($0) },
      "description": position?.place.map { .text($0) }, "room": room.map { .text($0) }, "time": .time(time),
    ])
  }
}
