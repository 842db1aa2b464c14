import BeaconAdvertising
import Beacons
import Instants

/// The results of decoding, for a test to compare.
struct Decoded: Equatable {
  var sightings: [Sighting] = []
  var counts = AdvertisementCounts()
  var error: CaptureError?
  /// The name of each sighting's adapter.
  var adapters: [String?] = []

  var minors: [UInt16] { sightings.map(\.beacon.minor) }
}

/// Decodes events, a millisecond apart unless times are given, and then the end of the source.
func decode(events: [[UInt8]], times: [Int64]? = nil) -> Decoded {
  var decoder = AdvertisingReportDecoder()
  var decoded = Decoded()
  for (index, event) in events.enumerated() {
    let time = Instant(microseconds: times?[index] ?? Int64(index) * 1000)
    decoder.decode(event: event.span.bytes, time: time, into: &decoded.sightings)
  }
  decoder.finish()
  decoded.counts = decoder.counts
  return decoded
}

func decode(event: [UInt8]) -> Decoded { decode(events: [event]) }

/// Decodes a capture in chunks with the lengths that `nextLength` returns, and then its end.
func decode(capture: [UInt8], adapters: [AdapterSettings] = [], chunks nextLength: () -> Int = { .max }) -> Decoded {
  var decoder = CaptureDecoder()
  decoder.configure(adapters)
  var decoded = Decoded()
  do throws(CaptureError) {
    var rest = capture[...]
    while !rest.isEmpty {
      let chunk = Array(rest.prefix(nextLength()))
      rest = rest.dropFirst(chunk.count)
      try decoder.decode(chunk.span.bytes, into: &decoded.sightings)
    }
    try decoder.finish()
  } catch {
    decoded.error = error
  }
  decoded.counts = decoder.counts
  decoded.adapters = decoded.sightings.map { decoder.roster.name(of: $0.adapter) }
  return decoded
}
