import Instants

/// The reception of one beacon by one adapter.
struct Hearing: Hashable, Sendable {
  let adapter: UInt16
  var filter: RSSIFilter
  var lastSeen: Instant
}
