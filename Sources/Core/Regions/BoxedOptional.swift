/// An optional value that is usually absent and then takes eight octets, whatever its size.
struct BoxedOptional<Value> {
  private var storage: [Value] = []

  init(_ value: Value?) {
    if let value { storage = [value] }
  }

  @inline(__always)  // a part of every sighting
  var isEmpty: Bool { storage.isEmpty }

  var value: Value? { storage.first }

  /// Changes the value in place and returns the result, or `nil` if there is no value.
  @inline(__always)
  mutating func change<Result>(_ body: (inout Value) -> Result) -> Result? {
    storage.isEmpty ? nil : body(&storage[0])
  }
}

extension BoxedOptional: Equatable where Value: Equatable {}
extension BoxedOptional: Hashable where Value: Hashable {}
extension BoxedOptional: Sendable where Value: Sendable {}
