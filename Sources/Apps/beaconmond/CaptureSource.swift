import BeaconAdvertising
import Captures
import EventLoop
import Instants

/// A capture as the daemon's source: what to play, and the playback once it is open.
final class CaptureSource {
  let name: String
  private let path: String
  private let pace: CapturePlayback.Pace
  private var playback: CapturePlayback?

  init(path: String, pace: CapturePlayback.Pace) {
    self.path = path
    self.pace = pace
    name = "capture:\(path)"
  }

  func open(_ loop: Loop, listener: @escaping (CapturePlayback.Step) -> Void) throws(CaptureFileError) {
    playback = try CapturePlayback(loop, path: path, pace: pace, listener: listener)
  }

  func start() {
    playback?.start()
  }

  var wake: Instant {
    get { playback?.wake ?? .never }
    set { playback?.wake = newValue }
  }

  /// The first record is there, and with it the clock.
  var hasStarted: Bool { playback?.hasStarted ?? false }

  var counts: AdvertisementCounts { playback?.counts ?? AdvertisementCounts() }

  func adapterName(_ adapter: UInt16) -> String? { playback?.adapterNames(adapter) }
}
