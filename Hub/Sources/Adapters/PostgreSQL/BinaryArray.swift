/// A one-dimensional array in the binary format of PostgreSQL, filled element by element.
public struct BinaryArray: Sendable {
  /// The types of elements, with their numbers in PostgreSQL's catalogue.
  public enum Element: Int32 {
    case bytea = 17
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
    case uuid = 2950
  }

  private static let countOffset = 12

  /// The octets without the count.
  private var content: [UInt8] = []
  private var count: Int32 = 0

  public init(of element: Element) {
    put(Int32(1))  // dimensions
    put(Int32(1))  // some elements may be null
    put(element.rawValue)
    put(Int32(0))  // the count
    put(Int32(1))  // the lowest index
  }

  public mutating func append(_ value: some FixedWidthInteger) {
    put(Int32(value.bitWidth / 8))
    put(value)
    count += 1
  }

  public mutating func append(high: UInt64, low: UInt64) {
    put(Int32(16))
    put(high)
    put(low)
    count += 1
  }

  public mutating func append(_ value: [UInt8]) {
    put(Int32(value.count))
    content += value
    count += 1
  }

  public mutating func append(_ text: String) { append(Array(text.utf8)) }

  public mutating func appendNull() {
    put(Int32(-1))
    count += 1
  }

  var octets: [UInt8] {
    var octets = content
    withUnsafeBytes(of: count.bigEndian) { octets.replaceSubrange(Self.countOffset..<Self.countOffset + 4, with: $0) }
    return octets
  }

  private mutating func put(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.bigEndian) { content.append(contentsOf: $0) } }
}
