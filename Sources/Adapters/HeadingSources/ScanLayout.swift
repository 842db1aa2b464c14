import Headings

/// The form of a value in a scan, such as `le:s12/16>>4` (Documentation/ABI/testing/sysfs-bus-iio, scan_elements).
struct ScanType: Hashable, Sendable {
  let isBigEndian: Bool
  let isSigned: Bool
  let bits: Int
  /// The octets of the value with its padding.
  let storage: Int
  let shift: Int

  /// Returns nil for a text of another form, and for repeated values, which no vector has.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, ["le", "be"].contains(parts[0]), let sign = parts[1].first, "su".contains(sign) else { return nil }
    let form = parts[1].dropFirst()
    let halves = form.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let bits = Int(halves[0]) else { return nil }
    let shifted = halves[1].split(separator: ">", omittingEmptySubsequences: true)
    guard let size = shifted.first.flatMap({ Int($0) }), shifted.count <= 2, [8, 16, 32, 64].contains(size) else { return nil }
    let shift = shifted.count == 2 ? Int(shifted[1]) : 0
    guard let shift, bits > 0, shift >= 0, bits + shift <= size else { return nil }
    (isBigEndian, isSigned, self.bits, storage, self.shift) = (parts[0] == "be", sign == "s", bits, size / 8, shift)
  }

  /// Returns the value at an offset of the octets.
  func value(in octets: UnsafeRawBufferPointer, at offset: Int) -> Int64 {
    var value: UInt64 = 0
    for index in 0..<storage {
      let octet = UInt64(octets[offset + (isBigEndian ? index : storage - 1 - index)])
      value = value << 8 | octet
    }
    value >>= UInt64(shift)
    guard bits < 64 else { return Int64(bitPattern: value) }
    value &= (1 << UInt64(bits)) - 1
    // Extends the sign.
    if isSigned, value >> UInt64(bits - 1) == 1 { value |= ~0 << UInt64(bits) }
    return Int64(bitPattern: value)
  }
}

/// The places of the values in a scan.
///
/// The kernel orders the enabled elements by their index, and aligns each to its own size and the scan to the largest one.
struct ScanLayout: Hashable, Sendable {
  struct Element: Hashable, Sendable {
    let name: String
    let index: Int
    let type: ScanType
  }

  /// The octets of a scan.
  let size: Int
  private let places: [String: (offset: Int, type: ScanType)]

  /// - Parameter elements: the enabled ones, in any order.
  init(_ elements: [Element]) {
    var (end, largest): (Int, Int) = (0, 1)
    var places: [String: (offset: Int, type: ScanType)] = [:]
    for element in elements.sorted(by: { $0.index < $1.index }) {
      let storage = element.type.storage
      let offset = Self.aligned(end, to: storage)
      places[element.name] = (offset, element.type)
      (end, largest) = (offset + storage, max(largest, storage))
    }
    (size, self.places) = (Self.aligned(end, to: largest), places)
  }

  private static func aligned(_ offset: Int, to size: Int) -> Int { (offset + size - 1) / size * size }

  /// Returns the value of an element in the scan that begins at `start`; nil if it is not enabled.
  func value(of name: String, in octets: UnsafeRawBufferPointer, at start: Int) -> Int64? {
    places[name].map { $0.type.value(in: octets, at: start + $0.offset) }
  }

  static func == (a: ScanLayout, b: ScanLayout) -> Bool {
    a.size == b.size && a.places.count == b.places.count
      && a.places.allSatisfy { name, place in b.places[name].map { $0.offset == place.offset && $0.type == place.type } ?? false }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(size) }
}
