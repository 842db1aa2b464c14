/// A message of the hub to a device, on the topic `FleetAddress.commandTopic`.
///
/// The hub repeats it until a report of the device acknowledges its number, so a device handles a repeated one like the first.
public struct HubMessage: Hashable, Sendable {
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// A signed drop-in of the configuration: the octets of a `SignedRollout`.
    case rollout = 1
    /// The positions that people share with each other.
    case sharing = 2
  }

  /// The largest payload in octets.
  public static let maximumPayloadSize = 28_672

  /// The number of the message in the whole fleet, from 1 on.
  public var number: Int64
  public var kind: Kind
  /// The content, whose format the kind decides.
  public var payload: [UInt8]

  public init(number: Int64, kind: Kind, payload: [UInt8]) {
    (self.number, self.kind, self.payload) = (number, kind, payload)
  }
}

extension HubMessage {
  private static let version: Int64 = 1

  /// Decodes a message, and skips items that a later version has added to its end.
  public init(_ octets: [UInt8]) throws(FleetMessageError) {
    guard octets.count <= FleetMessage.maximumSize else { throw .tooLong(octets.count) }
    var reader = CBORReader(octets)
    let count = try reader.array(atLeast: 4, upTo: FleetMessage.mostItems)
    let version = try reader.unsigned(upTo: .max)
    guard version == Self.version else { throw .unknownVersion(version) }
    number = try reader.integer(in: 1...FleetMessage.largestNumber)
    let begin = reader.offset
    guard let kind = Kind(rawValue: UInt8(try reader.unsigned(upTo: 255))) else { throw .outOfRange(at: begin) }
    self.kind = kind
    payload = try reader.octets(upTo: Self.maximumPayloadSize)
    for _ in 4..<count { try reader.skip() }
    guard reader.isAtEnd else { throw .trailingOctets(at: reader.offset) }
  }

  public var octets: [UInt8] {
    var writer = CBORWriter()
    writer.array(4)
    writer.integer(Self.version)
    writer.integer(number)
    writer.integer(Int64(kind.rawValue))
    writer.octets(payload)
    return writer.octets
  }
}
