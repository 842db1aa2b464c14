import BeaconAdvertising
import Events
import Instants
import Proximity
import Regions

/// Bytes to events: the decoder and the engine as in a replay without a config, with a region for every UUID in range.
struct FullPass: Pass {
  private(set) var counts = AdvertisementCounts()
  let checksum: UInt64 = 0
  private(set) var details = ""

  init(_ octets: [UInt8]) throws(CaptureError) {
    var decoder = CaptureDecoder()
    var engine = ProximityEngine(settings: EngineSettings(watchesEveryUUID: true), at: Instant(microseconds: 0))
    var (enters, exits) = (0, 0)
    try forEachChunk(of: octets, decoder: &decoder) { sightings, period in
      if engine.beaconCount == 0 { engine.start(at: period.lowerBound) }
      engine.ingest(sightings)
      engine.advance(to: period.upperBound)
      for event in engine.drainEvents() {
        switch event.transition.kind {
        case .enter: enters += 1
        case .exit: exits += 1
        default: break
        }
      }
    }
    counts = decoder.counts
    details = ",\"beacons\":\(engine.beaconCount),\"regions\":\(engine.regionCount),\"enters\":\(enters),\"exits\":\(exits)"
  }
}

/// Feeds the capture to the decoder in chunks of the product's size.
func forEachChunk(
  of octets: [UInt8], decoder: inout CaptureDecoder, _ body: ([Sighting], ClosedRange<Instant>) -> Void
) throws(CaptureError) {
  let chunkLength = 256 * 1024
  var sightings: [Sighting] = []
  let bytes = octets.span.bytes
  var start = 0
  while start < bytes.byteCount {
    let end = min(start + chunkLength, bytes.byteCount)
    try decoder.decode(bytes.extracting(start..<end), into: &sightings)
    if let period = decoder.period { body(sightings, period) }
    sightings.removeAll(keepingCapacity: true)
    start = end
  }
  try decoder.finish()
}
