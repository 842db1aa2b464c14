/// The error in octets that are not a fleet message.
public enum FleetMessageError: Error, Equatable, CustomStringConvertible {
  /// The message has more octets than `FleetMessage.maximumSize`.
  case tooLong(Int)
  /// The octets end within an item.
  case truncated
  /// The item at this offset is of another type than the format requires, or a text is not UTF-8.
  case unexpectedItem(at: Int)
  /// The number or the length at this offset is beyond its limit.
  case outOfRange(at: Int)
  /// The format is of this version, which is not 1.
  case unknownVersion(Int64)
  /// Octets follow the message, from this offset on.
  case trailingOctets(at: Int)

  public var description: String {
    switch self {
    case .tooLong(let count): "the message has \(count) octets, more than \(FleetMessage.maximumSize)"
    case .truncated: "the message ends within an item"
    case .unexpectedItem(let offset): "octet \(offset): the item is of another type than the format requires"
    case .outOfRange(let offset): "octet \(offset): the number or the length is beyond its limit"
    case .unknownVersion(let version): "the message has version \(version), and this program knows version 1"
    case .trailingOctets(let offset): "octet \(offset): the message continues after its end"
    }
  }
}
