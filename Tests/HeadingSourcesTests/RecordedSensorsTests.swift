import EventLoop
import Foundation
import HeadingSources
import Headings
import Instants
import LocationArbitration
import Locations
import Logging
import Orientation
import Records
import SensorRecordings
import SensorSimulation
import TestSupport
import Testing

/// A recording in a file.
private struct RecordingFile {
  let folder: TemporaryDirectory
  var path: String { folder.file("walk.jsonl") }

  init(_ text: String) throws {
    folder = try TemporaryDirectory()
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// Samples of the field, 20 ms apart.
  static func fields(_ count: Int) -> String {
    (0..<count).map { SensorRecordingText.line(RecordedSample(at: .milliseconds(Int64($0) * 20), .field(SpaceVector(20, Double($0), 40)))) }
      .joined()
  }
}

private final class NoLocations: HeadingLocations {
  let location: Location? = nil
  let now = Instant(microseconds: 0)
  func request(_ request: LocationRequest?) {}
}

/// A source whose samples a test sends.
private final class LiveSource: HeadingSource {
  let name = "live"
  let device: String? = nil
  let isPresent = true
  let hasAccelerometer = true
  let patience = Span.seconds(4)
  let health = HeadingHealth(.measuring)
  let counts = HeadingCounts()
  var onMeasurement: (HeadingMeasurement, Instant) -> Void = { _, _ in }
  var onHealthChange: () -> Void = {}
  func start() {}
  func stop() {}
}

@Suite struct RecordedSensorsTests {
  @Test func `a recording plays its samples with their times, and ends`() throws {
    let file = try RecordingFile(
      SensorRecordingText.line(SensorRecordingHeader(device: "chip", hasAccelerometer: true)) + RecordingFile.fields(500))
    let loop = try Loop()
    let source = RecordedSensors(loop, path: file.path, speed: nil)
    var samples: [(HeadingMeasurement, Instant)] = []
    source.onMeasurement = { samples.append(($0, $1)) }
    source.start()
    try loop.wait { source.health.state == .gone }
    #expect(samples.count == 500 && source.hasAccelerometer && source.device == nil)
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $1.1 - $0.1 == .milliseconds(20) })
    #expect(source.health.note == "the recording \(file.path) has ended" && !source.isPresent)
  }

  @Test func `a recording plays at its speed`() throws {
    let file = try RecordingFile(RecordingFile.fields(26))
    let loop = try Loop()
    for (speed, least) in [(1.0, 0.5), (10, 0.05)] {
      let source = RecordedSensors(loop, path: file.path, speed: speed)
      let begin = loop.now
      source.start()
      try loop.wait { source.health.state == .gone }
      #expect((loop.now - begin).seconds >= least && source.counts.samples == 26)
      #expect(!source.hasAccelerometer)
    }
  }

  @Test func `an ended recording plays again only after no client wanted headings`() throws {
    let file = try RecordingFile(RecordingFile.fields(3))
    let loop = try Loop()
    let source = RecordedSensors(loop, path: file.path, speed: nil)
    let service = HeadingService(loop, [source], NoLocations(), nil, log: LogLines().logger)
    var (updates, failures) = (0, [String]())
    service.onOutput = {
      switch $0 {
      case .update: updates += 1
      case .failed(_, let failure): failures.append(failure.message)
      case .calibration: break
      }
    }
    for round in 1...2 {
      service.listen(.session(1), HeadingRequest(filter: 0))
      // The service tries a lost source again after a second.
      try loop.run(for: .milliseconds(1500))
      #expect(updates == 3 * round && failures.count == round && failures.last == "the recording \(file.path) has ended")
      service.end(.session(1))
      #expect(service.isAvailable)
    }
  }

  @Test(arguments: [
    (String(repeating: "$GPHDT,12.0,T*00\n", count: 300), "is not a recording of sensors"), ("", "is not a recording of sensors"),
  ])
  func `a file of another kind is refused by name`(text: String, problem: String) throws {
    let file = try RecordingFile(text)
    let loop = try Loop()
    let source = RecordedSensors(loop, path: file.path, speed: nil)
    source.start()
    try loop.wait { source.health.state == .gone }
    #expect(source.health.note == "\(file.path) \(problem)")
  }

  @Test func `a missing file is not a source, and a folder is a failure`() throws {
    let folder = try TemporaryDirectory()
    let loop = try Loop()
    #expect(!RecordedSensors(loop, path: folder.file("none")).isPresent)
    let source = RecordedSensors(loop, path: folder.path)
    source.start()
    #expect(source.health.state == .failing && source.health.note?.contains("EISDIR") == true, "\(source.health)")
  }

  @Test func `damaged lines are counted by their fault`() throws {
    let file = try RecordingFile(RecordingFile.fields(2) + "{\"time\":\n" + "{\"time\":-5,\"sensor\":\"field\",\"x\":1,\"y\":1,\"z\":1}\n")
    let loop = try Loop()
    let source = RecordedSensors(loop, path: file.path, speed: nil)
    source.start()
    try loop.wait { source.health.state == .gone }
    #expect(source.counts.samples == 2)
    #expect(Dictionary(uniqueKeysWithValues: source.counts.refused.entries.map { ($0.name, $0.count) }) == ["json": 1, "time": 1])
  }

  /// Records a device that is calibrated and carried about, and plays the recording to another service.
  @Test func `the replay of a recording gives the headings of the live sensors`() throws {
    let live = LiveSource()
    var text = ""
    var measurements: [(HeadingMeasurement, Instant)] = []
    let recorder = SensorRecorder(live) { text += $0 }
    let scheduler = ManualScheduler()
    var device = SensorSimulator(horizontal: 20, down: 45, seed: 3)
    for step in 0..<4000 {
      scheduler.advance(by: .milliseconds(20))
      for _ in 0..<2 { if step < 3000 { device.tumble() } else { device.walk() } }
      let (acceleration, field) = device.sample()
      for measurement in [HeadingMeasurement.acceleration(acceleration), .field(field)] {
        live.onMeasurement(measurement, scheduler.now)
        measurements.append((measurement, scheduler.now))
      }
    }
    #expect(recorder.samples == measurements.count)

    func headings(_ send: (HeadingService, ManualScheduler) throws -> Void, _ source: any HeadingSource) throws -> [HeadingUpdate] {
      let scheduler = ManualScheduler()
      let service = HeadingService(scheduler, [source], NoLocations(), nil, log: LogLines().logger)
      var updates: [HeadingUpdate] = []
      service.onOutput = { if case .update(_, let update) = $0, update.hasDirection { updates.append(update) } }
      service.listen(.session(1), HeadingRequest(filter: 0))
      try send(service, scheduler)
      return updates
    }
    let direct = LiveSource()
    let expected = try headings({ _, _ in for (measurement, time) in measurements { direct.onMeasurement(measurement, time) } }, direct)

    let file = try RecordingFile(text)
    let loop = try Loop()
    let replay = RecordedSensors(loop, path: file.path, speed: nil)
    let found = try headings({ _, _ in try loop.wait(within: .seconds(120)) { replay.health.state == .gone } }, replay)
    #expect(expected.count > 1000 && found.count == expected.count)
    for (live, played) in zip(expected, found) {
      guard let a = live.magneticHeading, let b = played.magneticHeading, let c = live.accuracy, let d = played.accuracy else {
        Issue.record("\(live) is not \(played)")
        continue
      }
      // Recordings round the samples.
      #expect(abs((a - b).remainder(dividingBy: 360)) < 0.05 && abs(c - d) < 0.05)
    }
  }
}

@Suite struct SimulatedSensorsTests {
  @Test func `the simulator sends the field of the place, and follows another one`() throws {
    let loop = try Loop()
    var place = (horizontal: 20.0, down: 45.0)
    let source = SimulatedSensors(loop) { place }
    var (strengths, accelerations) = ([Double](), 0)
    source.onMeasurement = { measurement, _ in
      switch measurement {
      case .field(let field): strengths.append(field.length)
      case .acceleration(let acceleration): if abs(acceleration.length - 9.8) < 0.5 { accelerations += 1 }
      default: break
      }
    }
    source.start()
    try loop.wait { strengths.count >= 40 }
    // 49 µT, 40 µT of hard iron, and soft iron of 10 %.
    #expect(strengths.allSatisfy { (5...100).contains($0) } && accelerations == strengths.count)
    let before = strengths.max() ?? 0
    place = (horizontal: 200, down: 450)
    try loop.wait { (strengths.max() ?? 0) > before + 200 }
    source.stop()
    let count = strengths.count
    // A source that is still on sends every 20 ms.
    try loop.run(for: .milliseconds(100))
    #expect(strengths.count == count && source.health == HeadingHealth(.off))
  }
}
