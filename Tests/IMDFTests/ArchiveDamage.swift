import Seeds

@testable import IMDF

/// Random changes to the values of an archive's files.
struct ArchiveDamage {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func damaged(_ files: [String: [UInt8]]) -> [String: [UInt8]] {
    var result = files
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard let name = files.keys.sorted().randomElement(using: &random), let octets = result[name] else { continue }
      if Int.random(in: 0...9, using: &random) == 0 {
        result[name] = Array(octets.prefix(Int.random(in: 0...octets.count, using: &random)))
      } else if let value = try? JSONValue(octets) {
        result[name] = change(value, Double.random(in: 0.002...0.05, using: &random)).octets
      }
    }
    return result
  }

  /// - Parameter share: the share of the values that are replaced.
  private mutating func change(_ value: JSONValue, _ share: Double) -> JSONValue {
    if Double.random(in: 0...1, using: &random) < share { return replacement() }
    switch value {
    case .list(let list): return .list(list.map { change($0, share) })
    case .object(let object):
      // Sorted, so that a seed gives the same damage each time.
      var changed: [String: JSONValue] = [:]
      for (key, value) in object.sorted(by: { $0.key < $1.key }) { changed[key] = change(value, share) }
      return .object(changed)
    default: return value
    }
  }

  private mutating func replacement() -> JSONValue {
    let values: [JSONValue] = [
      .null, .flag(true), .number(0), .number(-1), .number(1e300), .number(91), .number(0.5), .text(""), .text("\u{202E}<b>"),
      .text(String(repeating: "x", count: 300)), .list([]), .list([.number(1)]), .list([.number(11.5754), .number(48.1371)]), .object([:]),
      .object(["type": .text("Polygon"), "coordinates": .list([])]),
      .object(["type": .text("MultiPolygon"), "coordinates": .list([.list([])])]),
    ]
    return values.randomElement(using: &random) ?? .null
  }
}
