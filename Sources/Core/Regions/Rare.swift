/// A value that is mostly not there, and then takes eight octets whatever its size.
struct Rare<Value> {
  private var storage: [Value] = []

  init(_ value: Value?) {
    if let value { storage = [value] }
  }

  @inline(__always)  // a part of every sighting
  var isEmpty: Bool { storage.isEmpty }

  var value: Value? { storage.first }

  /// Changes the value in its place; nil when there is none.
  @inline(__always)
  mutating func change<Result>(_ body: (inout Value) -> Result) -> Result? {
    storage.isEmpty ? nil : body(&storage[0])
  }
}

extension Rare: Equatable where Value: Equatable {}
extension Rare: Hashable where Value: Hashable {}
extension Rare: Sendable where Value: Sendable {}
