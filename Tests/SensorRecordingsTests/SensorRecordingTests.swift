import Headings
import Instants
import Locations
import Records
import SensorRecordings
import Testing

@Suite struct SensorRecordingTests {
  private func decode(_ text: String) -> (samples: [RecordedSample], decoder: SensorRecordingDecoder) {
    var (decoder, samples) = (SensorRecordingDecoder(), [RecordedSample]())
    decoder.decode(Array(text.utf8), into: &samples)
    decoder.finish(into: &samples)
    return (samples, decoder)
  }

  private func line(_ time: Double, sensor: String = "field", _ values: String = "\"x\":1,\"y\":2,\"z\":3") -> String {
    "{\"time\":\(time),\"sensor\":\"\(sensor)\",\(values)}\n"
  }

  @Test func `a recording has the samples that were written, in any chunks`() throws {
    let reading = try #require(HeadingReading(trueHeading: 12.5, magneticHeading: 10, variation: 2.5))
    let samples = [
      RecordedSample(at: .zero, .rotation(SpaceVector(0.1, -0.2, 0.3))),
      RecordedSample(at: .milliseconds(10), .acceleration(SpaceVector(0.01, -0.1, 9.81))),
      RecordedSample(at: .milliseconds(10), .field(SpaceVector(18.3, -3.15, -40.8))),
      RecordedSample(at: .seconds(1), .heading(reading)),
    ]
    let header = SensorRecordingHeader(device: "ak8975 1-000c", hasAccelerometer: true)
    let text = SensorRecordingText.line(header) + samples.map(SensorRecordingText.line).joined()
    for size in [1, 7, 4096] {
      var (decoder, found) = (SensorRecordingDecoder(), [RecordedSample]())
      let octets = Array(text.utf8)
      for start in stride(from: 0, to: octets.count, by: size) {
        decoder.decode(octets[start..<min(start + size, octets.count)], into: &found)
      }
      #expect(found == samples && decoder.header == header && decoder.counts.faults.total == 0)
    }
  }

  @Test func `the times of a recording begin with zero`() {
    let (samples, _) = decode(line(1_800_000_000) + line(1_800_000_000.5))
    #expect(samples.map(\.time) == [.zero, .milliseconds(500)])
  }

  @Test func `a time that goes back, and one far ahead, is counted, and costs no more than two samples`() {
    let (samples, decoder) = decode([10.0, 10.5, 10.4, 10.6, 1e8, 10.7, 10.8].map { line($0) }.joined())
    // 10.4 and 1e8 are refused, and 10.7 is earlier than 1e8.
    #expect(samples.map(\.time) == [0, 500, 700, 800].map { Span.milliseconds($0) })
    #expect(decoder.counts.faults[.time] == 3)
  }

  @Test(arguments: [
    ("{\"time\":1,\"sensor\":\"field\",\"x\":1,\"y\":2}", SensorRecordingFault.field),
    ("{\"time\":1,\"sensor\":\"field\",\"x\":1,\"y\":2,\"z\":\"3\"}", .field),
    ("{\"time\":1,\"sensor\":\"field\",\"x\":1,\"y\":2,\"z\":1e9}", .field),
    ("{\"sensor\":\"field\",\"x\":1,\"y\":2,\"z\":3}", .field),
    ("{\"time\":1,\"sensor\":\"compass\"}", .field),
    ("{\"time\":1,\"sensor\":\"compass\",\"magneticHeading\":361}", .field),
    ("{\"time\":1,\"sensor\":\"nose\",\"x\":1,\"y\":2,\"z\":3}", .field),
    ("{\"format\":\"beaconmon-sensors\",\"version\":2}", .field),
    ("{\"time\":1,", .json), ("time,x,y,z", .json),
    (String(repeating: "x", count: 5000), .length),
  ])
  func `a wrong line is counted by its fault, and the others are used`(wrong: String, fault: SensorRecordingFault) {
    let (samples, decoder) = decode(line(0) + wrong + "\n" + line(1))
    #expect(samples.map(\.time) == [.zero, .seconds(1)])
    #expect(decoder.counts.faults.occurring.map(\.key) == [fault] && decoder.counts.faults.total == 1)
  }

  @Test func `a file of another kind is recognised`() {
    #expect(decode(String(repeating: "$GPHDT,12.0,T*00\n", count: 100)).decoder.isStrange)
    #expect(!decode(line(0) + String(repeating: "x\n", count: 200)).decoder.isStrange)
  }
}
