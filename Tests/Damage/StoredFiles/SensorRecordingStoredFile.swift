import EventLoop
import HeadingSources
import Headings
import Instants
import Locations
import Orientation
import SensorRecordings

/// A recording of heading sensors that the daemon plays. A damaged line costs its sample, or two if its time is wrong.
struct SensorRecordingStoredFile: StoredFile {
  let name = "sensors"
  let fileName = "walk.jsonl"
  let isDatabase = false

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, [RecordedSample]) throws -> Void) throws {
    for form in Form.allCases {
      var text = SensorRecordingText.line(SensorRecordingHeader(device: "chip", hasAccelerometer: true))
      let samples = (0..<Int.random(in: 1...200, using: &random)).map { number in
        // The values name the sample, so that a wrong one is noticed.
        let vector = SpaceVector(Double(number), Double(number) / 2, Double.random(in: -50...50, using: &random).rounded())
        return RecordedSample(at: .milliseconds(Int64(number) * 20), number % 2 == 0 ? .acceleration(vector) : .field(vector))
      }
      text += samples.map(SensorRecordingText.line).joined()
      try Files.write(Array(text.utf8), to: "\(folder)/\(fileName)")
      try keep(form, samples)
    }
  }

  func judge(_ folder: String, untouched: String, truths: [[RecordedSample]]) throws -> Verdict {
    var verdict = Verdict()
    let loop = try Loop()
    let source = RecordedSensors(loop, path: "\(folder)/\(fileName)", speed: nil)
    var times: [Instant] = []
    source.onMeasurement = { times.append($1) }
    source.onHealthChange = { [unowned source] in if source.health.state != .measuring { loop.stop() } }
    source.start()
    if source.health.state == .starting { _ = try loop.run() }
    verdict.expect(source.health.note != nil, "the end is not reported")
    verdict.expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "the time goes back")
    verdict.expect(source.counts.samples == UInt64(times.count), "the samples are counted wrong")
    let most = truths.map(\.count).max() ?? 0
    if times.count < most { verdict.reportedLosses += most - times.count }
    source.stop()
    return verdict
  }
}
