import BeaconAdvertising
import Instants
import Records

/// Runs one input of libFuzzer, whose first octet selects how the rest is used.
///
/// Any trap, any inconsistent count and any difference that chunking makes is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCapture(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = input.first else { return 0 }
  let rest = Array(input.dropFirst())
  if choice & 1 == 0 {
    let whole = decode(capture: rest, chunk: .max)
    precondition(whole == decode(capture: rest, chunk: 1 + Int(choice >> 1)), "chunking changed the result")
  } else {
    decode(packets: rest)
  }
  return 0
}

private struct Decoded: Equatable {
  var sightings: [Sighting] = []
  var counts = AdvertisementCounts()
  var error: CaptureError?
}

private func decode(capture: [UInt8], chunk: Int) -> Decoded {
  var decoder = CaptureDecoder()
  var decoded = Decoded()
  do throws(CaptureError) {
    var rest = capture[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(chunk))
      rest = rest.dropFirst(piece.count)
      try decoder.decode(piece.span.bytes, into: &decoded.sightings)
    }
    try decoder.finish()
  } catch {
    decoded.error = error
  }
  decoded.counts = decoder.counts
  check(decoded.counts, sightings: decoded.sightings.count)
  return decoded
}

/// Decodes HCI packets of a live socket, each after a length octet.
private func decode(packets: [UInt8]) {
  var decoder = AdvertisingReportDecoder()
  var sightings: [Sighting] = []
  var rest = packets[...]
  var time = Instant(microseconds: 0)
  while let length = rest.popFirst() {
    let packet = Array(rest.prefix(Int(length)))
    rest = rest.dropFirst(packet.count)
    time += .milliseconds(100)
    decoder.decode(packet: packet.span.bytes, time: time, into: &sightings)
  }
  decoder.finish()
  check(decoder.counts, sightings: sightings.count)
}

private func check(_ counts: AdvertisementCounts, sightings: Int) {
  precondition(counts.packets == counts.events + counts.passedOver + counts.malformed[.eventLength], "packets do not add up")
  precondition(counts.reports == counts.kinds.total + counts.joinedFragments + counts.droppedFragments, "reports do not add up")
  precondition(counts.beacons.total == sightings, "sightings do not add up")
}
