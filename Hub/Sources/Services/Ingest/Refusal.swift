import FleetMessages

/// The reason why a message was not stored, and its device. The counts are in the table `refusal`.
public struct Refusal: Hashable, Sendable {
  public enum Reason: String, CaseIterable, Sendable {
    /// The routing key is not an address, or its partition is not that of its site.
    case topic
    /// The device is not enrolled.
    case unknown
    case revoked
    /// The octets are not a fleet message.
    case undecodable
    /// The message has a version that this hub does not know, as from a device that is newer than the hub.
    case version
    /// The number arrived before. A message that a broker or a device repeats counts here as well.
    case copy
    /// The number arrived before with another event, as with two devices of one identity. The message is a copy as well.
    case conflict
    /// The number of an event arrived before, and no stored event has it. The message is a copy as well.
    ///
    /// A journal that was restored from a copy has such events.
    case unverified
    /// The number is further ahead than a device can be.
    case future
    /// The device has too many numberings.
    case journals
    /// The database refuses a value of the message, or an event has no kind.
    case rejected
  }

  /// The device; 0 if it is unknown.
  public var device: Int32
  public var reason: Reason

  public init(device: Int32, reason: Reason) { (self.device, self.reason) = (device, reason) }
}

extension Refusal.Reason {
  /// Returns the remedy for a device that had such refusals within the last day; nil if the reason needs no attention.
  ///
  /// - Parameter detail: the last refused message in words
  public func remedy(_ detail: String) -> String? {
    switch self {
    case .version: "sends messages that this hub cannot read (\(detail)); update the hub first, and then its devices"
    case .undecodable: "sends octets that are not a fleet message (\(detail)); look at the version of its program"
    case .conflict, .unverified:
      "repeats the numbers of earlier events: its journal is an older copy, or two devices use its identity; begin a new journal on the device, "
        + "or enrol one of the two under another name"
    case .future: "sends numbers that are further ahead than a device can be; look at its program, and revoke it if it is a stranger's"
    case .journals: "has begun too many journals, and no further event is stored; keep /var/lib/beaconmon over its restarts"
    case .rejected: "sends messages that the database refuses; look at the table refused_event and at the version of its program"
    case .topic, .unknown, .revoked, .copy: nil
    }
  }
}

public struct RefusalCount: Hashable, Sendable {
  public var messages: Int64
  /// The last message in words, at most 128 characters.
  public var detail: String

  public init(messages: Int64, detail: String) { (self.messages, self.detail) = (messages, detail) }
}

/// A refused message as a batch writes it.
public struct SetAsideRow: Hashable, Sendable {
  /// The largest number of octets that a row keeps.
  public static let mostOctets = 4096

  public var refusal: Refusal
  public var topic: String
  public var detail: String
  /// The numbering, and the number in it; nil if the octets are not a fleet message.
  public var journal: StreamJournal?
  public var sequence: Int64?
  /// The size of the message, of which `octets` may be the beginning.
  public var size: Int
  /// The text of an event, or all octets of an event of another version; empty for any other message.
  public var octets: [UInt8]
}
