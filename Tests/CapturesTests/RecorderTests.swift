import BeaconAdvertising
import Beacons
import Captures
import EventLoop
import Glibc
import Instants
import Monitoring
import Motion
import Proximity
import RadioHealth
import Ranging
import TestSupport
import Testing

@Suite struct RecorderTests {
  private let loop: Loop
  private let source = TappedSource()
  private let recorder: Recorder

  init() throws {
    loop = try Loop()
    recorder = Recorder(loop, source)
  }

  /// Starts a recording into a reader.
  private func record(onEnd: @escaping () -> Void = {}) throws -> (reader: RecordingReader, stop: (String) -> Void) {
    let reader = try RecordingReader(loop, onRecords: { _ in }, onEnd: {})
    let far = try #require(reader.farEnd)
    let stop = try recorder.startRecording(to: FileDescriptor(owning: dup(far)), RecordingOptions(), onEnd: onEnd)
    reader.releaseFarEnd()
    return (reader, stop)
  }

  private func hear() {
    let packet = Packets.iBeacon(minor: 1)
    source.tap?.packet(packet.span.bytes, 0, source.now)
  }

  @Test func `a source delivers packets from the first recording to the end of the last`() throws {
    var changes: [Bool] = []
    recorder.onChange = { [recorder] in changes.append(recorder.isIdle) }
    #expect(source.tap == nil && recorder.isIdle)
    let (first, second) = (try record(), try record())
    hear()
    first.stop("enough")
    try loop.wait { first.reader.hasEnded }
    #expect(first.reader.reason == "enough" && first.reader.counts.iBeacons == 1)
    #expect(source.tap != nil && !recorder.isIdle)
    hear()
    second.stop("enough")
    try loop.wait { recorder.isIdle }
    #expect(source.tap == nil)
    try loop.wait { second.reader.hasEnded }
    #expect(second.reader.counts.iBeacons == 2)
    #expect(changes == [false, false, true])
  }

  @Test func `a recording has the motion of the device from its beginning on`() throws {
    recorder.take(DeviceMotion(.still), at: source.now)
    var octets: [UInt8] = []
    let reader = try RecordingReader(loop, onRecords: { octets += $0 }, onEnd: {})
    let far = try #require(reader.farEnd)
    let stop = try recorder.startRecording(to: FileDescriptor(owning: dup(far)), RecordingOptions(), onEnd: {})
    reader.releaseFarEnd()
    recorder.take(DeviceMotion(.walking, cadence: 1.9), at: source.now + .seconds(2))
    stop("enough")
    try loop.wait { reader.hasEnded }
    #expect(reader.reason == "enough")
    var (decoder, sightings) = (CaptureDecoder(), [Sighting]())
    decoder.keepsNotes = true
    try decoder.decode(octets.span.bytes, into: &sightings)
    let motions = decoder.takeNotes().compactMap(RecordedMotion.init)
    #expect(
      motions == [
        RecordedMotion(DeviceMotion(.still), at: source.now),
        RecordedMotion(DeviceMotion(.walking, cadence: 1.9), at: source.now + .seconds(2)),
      ])
  }

  @Test func `a recording ends with its reader`() throws {
    var hasEnded = false
    var recording: (reader: RecordingReader, stop: (String) -> Void)? = try record { hasEnded = true }
    #expect(recording != nil && !recorder.isIdle)
    recording = nil
    try loop.wait { hasEnded }
    #expect(recorder.isIdle && source.tap == nil)
  }

  @Test func `a descriptor other than a Unix stream is refused and leaves no recording`() throws {
    let file = open("/dev/null", O_WRONLY | O_CLOEXEC)
    #expect(throws: SystemCallError.self) {
      _ = try recorder.startRecording(to: FileDescriptor(owning: file), RecordingOptions(), onEnd: {})
    }
    #expect(recorder.isIdle && source.tap == nil)
  }
}

/// A source that a test taps.
private final class TappedSource: RecordableSource {
  var tap: AdvertisementTap?
  let name = "tapped"
  let choice: String? = nil
  let reason: String? = nil
  let state = SourceState.scanning
  let note: String? = nil
  let counts = AdvertisementCounts()
  let adapters: [AdapterHealth] = []
  let roster = AdapterRoster()
  let receivers = Receivers.all(.hearing)
  var demand = HearingDemand.nothing
  var wake = Instant.never
  let now = Instant(microseconds: 1_000_000)
  var isHeld = false
  let isClockSynchronised: Bool? = nil

  func start(_ listener: @escaping (SourceStep) -> Void) {}
  func configure(_ adapters: [AdapterSettings]) {}
  func wallClock(_ instant: Instant) -> Instant { instant }
}
