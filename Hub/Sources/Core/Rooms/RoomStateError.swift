/// The error in octets that are not the state of a room filter.
public enum RoomStateError: Error, Hashable, CustomStringConvertible {
  /// The octets end within a value, or continue after the last.
  case wrongLength(Int)
  /// A later version wrote them.
  case unknownVersion(UInt8)
  /// The value at this offset is beyond its limits.
  case outOfRange(at: Int)

  public var description: String {
    switch self {
    case .wrongLength(let count): "the state has \(count) octets, which its contents contradict; delete it, and the filter starts empty"
    case .unknownVersion(let version): "the state is of version \(version), which this program does not know; upgrade the program"
    case .outOfRange(let offset): "octet \(offset) of the state: the value is beyond its limits; delete it, and the filter starts empty"
    }
  }
}
