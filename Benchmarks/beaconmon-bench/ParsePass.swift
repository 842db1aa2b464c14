import BeaconAdvertising
import Beacons

/// Bytes to sightings with the product's own decoder, in chunks of the product's size.
struct ParsePass: Pass {
  private(set) var counts = AdvertisementCounts()
  private(set) var checksum: UInt64 = 0
  let details = ""

  init(_ octets: [UInt8]) throws(CaptureError) {
    var decoder = CaptureDecoder()
    try forEachChunk(of: octets, decoder: &decoder) { sightings, _ in
      // The yardstick's checksum is that of the iBeacons.
      for sighting in sightings where sighting.format == .iBeacon { checksum &+= sighting.checksum }
    }
    counts = decoder.counts
  }
}

extension Sighting {
  /// The workload's checksum of one iBeacon: over its octets in little-endian words.
  var checksum: UInt64 {
    let uuid = beacon.uuid.high.byteSwapped ^ (beacon.uuid.low.byteSwapped &* 0x9E37_79B9_7F4A_7C15)
    let numbers = UInt64(beacon.major.byteSwapped) | UInt64(beacon.minor.byteSwapped) << 16
    let levels = UInt64(UInt8(bitPattern: measuredPower)) << 8 ^ UInt64(UInt8(bitPattern: rssi ?? 127))
    return (uuid ^ numbers << 16 ^ levels).mixed
  }
}

extension UInt64 {
  /// The finalizer of MurmurHash3.
  fileprivate var mixed: UInt64 {
    var word = self
    word = (word ^ word >> 33) &* 0xFF51_AFD7_ED55_8CCD
    word = (word ^ word >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return word ^ word >> 33
  }
}
