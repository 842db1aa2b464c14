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

  private(set) var octets: [UInt8] = []
  private var count: Int32 = 0

  public init(of element: Element) {
    put(Int32(1))  // dimensions
    put(Int32(1))  // some elements may be null
    put(element.rawValue)
    put(Int32(0))  // the count, which grows
    put(Int32(1))  // the lowest index
  }

  public mutating func append(_ value: some FixedWidthInteger) {
    put(Int32(value.bitWidth / 8))
    put(value)
    counted()
  }

  public mutating func append(high: UInt64, low: UInt64) {
    put(Int32(16))
    put(high)
    put(low)
    counted()
  }

  public mutating func append(_ value: [UInt8]) {
    put(Int32(value.count))
    octets += value
    counted()
  }

  public mutating func append(_ text: String) { append(Array(text.utf8)) }

  public mutating func appendNull() {
    put(Int32(-1))
    counted()
  }

  private mutating func counted() {
    count += 1
    withUnsafeBytes(of: count.bigEndian) { for index in 0..<4 { octets[12 + index] = $0[index] } }
  }

  private mutating func put(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.bigEndian) { octets.append(contentsOf: $0) } }
}
