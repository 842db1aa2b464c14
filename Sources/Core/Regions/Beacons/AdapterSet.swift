/// A set of adapters, by their number in sightings.
///
/// All adapters from number 31 on share one place: the set cannot tell them apart.
public struct AdapterSet: Hashable, Sendable {
  private var bits: UInt32

  private init(bits: UInt32) {
    self.bits = bits
  }

  public static let none = AdapterSet(bits: 0)
  public static let all = AdapterSet(bits: .max)

  private static let lastPlace: UInt16 = 31

  /// Creates a set with one adapter, and all others that share its place.
  @inline(__always)  // a part of every sighting
  public init(_ adapter: UInt16) {
    bits = 1 << UInt32(min(adapter, Self.lastPlace))
  }

  public init(_ adapters: some Sequence<UInt16>) {
    self = adapters.reduce(into: .none) { $0.formUnion(AdapterSet($1)) }
  }

  public var isEmpty: Bool { bits == 0 }

  @inline(__always)
  public func overlaps(_ other: AdapterSet) -> Bool { bits & other.bits != 0 }

  @inline(__always)
  public mutating func formUnion(_ other: AdapterSet) { bits |= other.bits }

  public func union(_ other: AdapterSet) -> AdapterSet { AdapterSet(bits: bits | other.bits) }

  public func intersection(_ other: AdapterSet) -> AdapterSet { AdapterSet(bits: bits & other.bits) }

  public func subtracting(_ other: AdapterSet) -> AdapterSet { AdapterSet(bits: bits & ~other.bits) }
}

/// The adapters that can hear, and those that are paused on purpose for a while. No other adapter can hear.
public struct AdapterReception: Hashable, Sendable {
  public let hearing: AdapterSet
  public let paused: AdapterSet

  public init(hearing: AdapterSet = .none, paused: AdapterSet = .none) {
    self.hearing = hearing
    self.paused = paused
  }

  public static let allHear = AdapterReception(hearing: .all)

  /// Whether no adapter hears or will hear again.
  public var isLost: Bool { present.isEmpty }

  /// The adapters that hear now or will hear again.
  public var present: AdapterSet { hearing.union(paused) }
}
