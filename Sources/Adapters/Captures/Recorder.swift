import BeaconAdvertising
import Beacons
import EventLoop
import Instants
import Monitoring
import Motion

/// All recordings of a source; without a recording, the source delivers no packets.
public final class Recorder {
  private let loop: Loop
  private let source: any RecordableSource
  private var streams: [UInt64: RecordingStream] = [:]
  private var lastNumber: UInt64 = 0
  /// The motion that the engine takes now.
  private var motion = DeviceMotion.unknown
  /// Runs after a recording has begun, and after the last one has ended.
  public var onChange: () -> Void = {}

  public var isIdle: Bool { streams.isEmpty }

  public init(_ loop: Loop, _ source: any RecordableSource) {
    self.loop = loop
    self.source = source
  }

  /// Records advertisements as a capture into one end of a Unix stream until the other end is closed, or the time is over.
  ///
  /// The source's clock must be known.
  ///
  /// - Parameter onEnd: called when the recording has ended, unless this throws.
  /// - Returns: a closure that ends the recording, given a human-readable reason.
  /// - Throws: an error for a descriptor that is not a Unix stream socket.
  public func startRecording(
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
    if motion != .unknown { stream.note(state: RecordedMotion(motion, at: now).text, at: now) }
    source.tap = AdvertisementTap(
      packet: { [unowned self] packet, adapter, time in for stream in streams.values { stream.hear(packet, adapter: adapter, at: time) } },
      report: { [unowned self] report, adapter, time in for stream in streams.values { stream.hear(report, adapter: adapter, at: time) } })
    onChange()
    return { [weak stream] in stream?.end($0) }
  }

  /// Records the motion that the engine takes from this time on, which is part of its input.
  public func take(_ motion: DeviceMotion, at time: Instant) {
    self.motion = motion
    guard !streams.isEmpty else { return }
    let text = RecordedMotion(motion, at: time).text
    for stream in streams.values { stream.note(state: text, at: time) }
  }

  private func remove(_ number: UInt64) {
    streams[number] = nil
    guard streams.isEmpty else { return }
    source.tap = nil
    onChange()
  }
}
