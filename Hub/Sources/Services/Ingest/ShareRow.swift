import FleetMessages
import Records
import Streams

/// A message of a device about shares, as a batch writes it.
public struct ShareRow: Hashable, Sendable {
  public var row: MessageRow
  /// The milliseconds between the sending by the device and the arrival, if its clock can be right.
  public var lateness: Int64
  /// The message as `fleet_share_from` of the database reads it.
  public var json: String

  init(_ row: MessageRow, _ message: ShareMessage, received: Int64) {
    self.row = row
    lateness = max(0, received - DeviceClock.time(ofDevice: row.time, received: received))
    json = message.record(sentAt: row.time).json
  }
}

extension ShareMessage {
  fileprivate func record(sentAt time: Int64) -> Record {
    switch self {
    case .offer(let offer):
      Record([
        "kind": .text("offer"), "id": .text("\(offer.id)"), "purpose": .text(offer.purpose),
        // The clock of the device may be wrong, but not the time that is left by it.
        "remaining": .integer(min(offer.ends - time, ShareMessage.longestSeconds * 1000)),
        "recipients": .list(offer.recipients.map { Record(["name": .text("\($0)")]) }),
      ])
    case .position(let id, let position):
      Record(["kind": .text("position"), "id": .text("\(id)"), "position": position.map { .record($0.record) }])
    case .end(let id): Record(["kind": .text("end"), "id": .text("\(id)")])
    case .answer(let id, let isAccepted): Record(["kind": .text("answer"), "id": .text("\(id)"), "accepted": .flag(isAccepted)])
    case .refresh: Record(["kind": .text("refresh")])
    }
  }
}

extension SharedPosition {
  fileprivate var record: Record {
    Record([
      "latitude": .degreesOnEarth(latitude), "longitude": .degreesOnEarth(longitude), "accuracy": accuracy.map { .metres($0) },
      "floor": floor.map { .integer(Int64($0)) }, "level": level.map { .text($0) }, "venue": venue.map { .text($0) },
      "place": place.map { .text($0) },
    ])
  }
}
