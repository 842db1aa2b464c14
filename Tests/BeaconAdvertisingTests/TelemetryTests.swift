import BeaconAdvertising
import Instants
import Testing

/// Frames of Eddystone-TLM and the transmitters of sightings.
@Suite struct TelemetryTests {
  /// Returns a legacy advertising report from the address 06:05:04:03:02:01.
  private static func report(_ data: [UInt8]) -> [UInt8] {
    let parameters: [UInt8] = [0x02, 1, 3, 1, 1, 2, 3, 4, 5, 6, UInt8(data.count)] + data + [0xC4]
    return [4, 0x3E, UInt8(parameters.count)] + parameters
  }

  private static func frame(_ content: [UInt8]) -> [UInt8] { [3, 3, 0xAA, 0xFE, UInt8(3 + content.count), 0x16, 0xAA, 0xFE] + content }

  private static func frames(_ data: [UInt8]...) -> [BeaconTelemetry] {
    var (decoder, sightings) = (AdvertisingReportDecoder(), [Sighting]())
    for data in data { decoder.decode(packet: report(data).span.bytes, time: Instant(microseconds: 5), into: &sightings) }
    return decoder.takeTelemetry()
  }

  private static let telemetry: [UInt8] = [0x20, 0, 0x0B, 0xB8, 0x15, 0x80, 0, 0, 1, 0, 0, 0, 2, 0]

  @Test func `a frame has the voltage, the temperature and the transmitter`() {
    let frames = Self.frames(Self.frame(Self.telemetry))
    #expect(frames == [BeaconTelemetry(transmitter: 0x0403_0201, voltage: 3, temperature: 21.5, time: Instant(microseconds: 5))])
  }

  @Test func `values that the beacon does not know are absent, and a temperature can be negative`() {
    var content = Self.telemetry
    content.replaceSubrange(2..<6, with: [0, 0, 0x80, 0])
    let unknown = Self.frames(Self.frame(content)).first
    #expect(unknown != nil && unknown?.voltage == nil && unknown?.temperature == nil)
    content.replaceSubrange(4..<6, with: [0xFF, 0x80])
    #expect(Self.frames(Self.frame(content)).first?.temperature == -0.5)
  }

  @Test func `other frames, encrypted ones and short ones are ignored`() {
    var encrypted = Self.telemetry
    encrypted[1] = 1
    var other = Self.telemetry
    other[0] = 0x10
    #expect(Self.frames(Self.frame(encrypted), Self.frame(other), Self.frame(Self.telemetry.dropLast()), [1, 0x16], []).isEmpty)
  }

  @Test func `frames that are not fetched do not grow without bound`() {
    var (decoder, sightings) = (AdvertisingReportDecoder(), [Sighting]())
    for number in 0..<1000 {
      let packet = Self.report(Self.frame(Self.telemetry))
      decoder.decode(packet: packet.span.bytes, time: Instant(microseconds: Int64(number)), into: &sightings)
    }
    let frames = decoder.takeTelemetry()
    #expect(frames.count == BeaconTelemetry.mostPending && frames.last?.time == Instant(microseconds: 999))
    #expect(decoder.takeTelemetry().isEmpty)
  }

  @Test func `a sighting has the last octets of the address, and is no longer than without them`() {
    var (decoder, sightings) = (AdvertisingReportDecoder(), [Sighting]())
    let beacon: [UInt8] = [0x1A, 0xFF, 0x4C, 0, 2, 0x15] + Array(0..<20) + [0xC5]
    decoder.decode(packet: Self.report(beacon).span.bytes, time: Instant(microseconds: 5), into: &sightings)
    #expect(sightings.map(\.transmitter) == [0x0403_0201])
    #expect(MemoryLayout<Sighting>.stride == 40)
  }
}
