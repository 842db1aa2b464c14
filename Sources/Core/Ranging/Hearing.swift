import Instants

/// How one adapter hears one beacon.
struct Hearing: Hashable, Sendable {
  let adapter: UInt16
  var filter: RSSIFilter
  var lastSeen: Instant
}
