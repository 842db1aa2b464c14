import BeaconAdvertising
import Captures
import EventLoop
import Instants
import MonitorService
import Monitoring

/// A source of this program, which can be recorded and can make room for a beacon that this machine sends.
protocol RecordableSource: SightingSource {
  /// The recorder, which gets all advertisements, also of other devices; nil without a recording.
  var recorder: Recorder? { get set }
  /// Stops scanning with an adapter for a moment, so that it can begin to advertise.
  func yield(adapter address: BluetoothAddress)
}

extension RecordableSource {
  /// Does nothing, for a source without adapters.
  func yield(adapter address: BluetoothAddress) {}
}

/// All recordings of a source; without a recording, the source delivers no packets.
final class Recorder: RecordingStarter {
  private let loop: Loop
  private let source: any RecordableSource
  private var streams: [UInt64: RecordingStream] = [:]
  private var lastNumber: UInt64 = 0
  /// Called after a recording has begun, and after the last one has ended.
  var onChange: () -> Void = {}

  /// Returns whether the source's clock is known.
  var isReady: () -> Bool = { false }

  var isIdle: Bool { streams.isEmpty }

  init(_ loop: Loop, _ source: any RecordableSource) {
    self.loop = loop
    self.source = source
  }

  func startRecording(
    to socket: consuming FileDescriptor, _ options: RecordingOptions, onEnd: @escaping () -> Void
  ) throws(RecordingRefusal) -> (String) -> Void {
    guard isReady() else { throw .notBegun }
    do throws(SystemCallError) {
      return try start(to: socket, options, onEnd: onEnd)
    } catch {
      throw .noStream(error)
    }
  }

  /// Starts a recording and returns a function that ends it, with a reason for people.
  private
    func start(
      to socket: consuming FileDescriptor, _ options: RecordingOptions, onEnd: @escaping () -> Void
    ) throws(SystemCallError) -> (String) -> Void
  {
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
