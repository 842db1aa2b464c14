/// Writes integers of fixed widths, the highest octet first, and texts.
struct StateWriter {
  private(set) var octets: [UInt8] = []

  mutating func append<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.bigEndian) { octets.append(contentsOf: $0) }
  }

  /// Appends hundredths, which saturate.
  mutating func append(hundredths value: Float) {
    append(Int16(clamping: Int((Swift.max(-400, Swift.min(400, value)) * 100).rounded())))
  }

  /// Appends a text with its length. It is cut at 1,000 octets.
  mutating func append(text: String) {
    var text = Substring(text)
    while text.utf8.count > 1000 { text.removeLast() }
    append(UInt16(text.utf8.count))
    octets += Array(text.utf8)
  }
}

/// Reads these integers and never beyond the end.
struct StateReader {
  private let octets: [UInt8]
  private(set) var offset = 0

  init(_ octets: [UInt8]) {
    self.octets = octets
  }

  mutating func next<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws(RoomStateError) -> Value {
    let size = Value.bitWidth / 8
    guard octets.count - offset >= size else { throw .wrongLength(octets.count) }
    defer { offset += size }
    return octets[offset..<offset + size].reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }

  mutating func next<Value: FixedWidthInteger>(in limits: ClosedRange<Value>) throws(RoomStateError) -> Value {
    let begin = offset
    let value = try next(Value.self)
    guard limits.contains(value) else { throw .outOfRange(at: begin) }
    return value
  }

  mutating func hundredths(in limits: ClosedRange<Float>) throws(RoomStateError) -> Float {
    let begin = offset
    let value = Float(try next(Int16.self)) / 100
    guard limits.contains(value) else { throw .outOfRange(at: begin) }
    return value
  }

  mutating func text() throws(RoomStateError) -> String {
    let count = Int(try next(in: UInt16(0)...1000))
    guard octets.count - offset >= count else { throw .wrongLength(octets.count) }
    defer { offset += count }
    return String(decoding: octets[offset..<offset + count], as: UTF8.self)
  }

  func end() throws(RoomStateError) {
    guard offset == octets.count else { throw .wrongLength(octets.count) }
  }
}
