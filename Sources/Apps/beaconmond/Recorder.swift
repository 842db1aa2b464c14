import BeaconAdvertising
import Captures
import EventLoop
import Instants
import MonitorProtocol

/// All recordings of a source; without a recording, the source delivers no packets.
final class Recorder {
  private let loop: Loop
  private let source: any SightingSource
  private var streams: [UInt64: RecordingStream] = [:]
  private var lastNumber: UInt64 = 0
  /// Called after a recording has begun, and after the last one has ended.
  var onChange: () -> Void = {}

  var isIdle: Bool { streams.isEmpty }

  init(_ loop: Loop, _ source: any SightingSource) {
    self.loop = loop
    self.source = source
  }

  /// Starts a recording and returns a function that ends it, with a reason for people.
  /// `onEnd` is called in any case.
  func start(
    to socket: consuming FileDescriptor, _ options: RecordingOptions, onEnd: @escaping () -> Void
  ) throws(SystemCallError) -> (String) -> Void {
    let (now, source) = (source.now, source)
    var random = SystemRandomNumberGenerator()
    let recording = Recording(
      options, source: source.name, key: (random.next(), random.next()), at: now, sinceEpoch: source.wallClock(now) - now)
    lastNumber += 1
    let number = lastNumber
    let stream = try RecordingStream(
      loop, to: socket, recording, clock: { source.now }, adapterName: { source.roster.name(of: $0) },
      onEnd: { [weak self] in
        self?.remove(number)
        onEnd()
      })
    streams[number] = stream
    source.recorder = self
    onChange()
    return { [weak stream] in stream?.end($0) }
  }

  func hear(_ packet: RawSpan, adapter: UInt16, at time: Instant) {
    for stream in streams.values { stream.hear(packet, adapter: adapter, at: time) }
  }

  func hear(_ report: AdvertisingReport, adapter: UInt16, at time: Instant) {
    for stream in streams.values { stream.hear(report, adapter: adapter, at: time) }
  }

  private func remove(_ number: UInt64) {
    streams[number] = nil
    guard streams.isEmpty else { return }
    source.recorder = nil
    onChange()
  }
}
