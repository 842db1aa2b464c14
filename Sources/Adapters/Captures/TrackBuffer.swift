import EventLoop
import Glibc
import Instants

/// One track of a playback, and its cues that were read but not delivered.
final class TrackBuffer {
  /// The number of pending cues at which a pipe that writes faster than it plays must wait.
  private static let mostPending = 50_000

  let track: any PlaybackTrack
  var pending = PlaybackCues()
  private(set) var failure: CaptureFileError?
  private(set) var hasEnded = false
  /// The watch of a pipe; nil for an input that is always readable, and after the end.
  private var io: IOSource?

  init(_ track: any PlaybackTrack) {
    self.track = track
  }

  var isPipe: Bool { io != nil }
  /// Whether the beginning of the track is known, or the track has none.
  var isReady: Bool { hasEnded || track.period != nil }

  /// Watches a pipe from now on; a device that cannot be watched is read like a file.
  func watch(_ loop: Loop, _ onReadable: @escaping () -> Void) {
    guard let pipe = track.pipe else { return }
    do {
      io = try loop.io(pipe, .readable) { _ in onReadable() }
    } catch {
      io = nil
    }
  }

  func read() {
    guard !hasEnded else { return }
    do throws(CaptureFileError) {
      hasEnded = try !track.read(into: &pending)
    } catch {
      failure = error
      hasEnded = true
    }
    if hasEnded { io = nil }
  }

  func readBeginning() {
    while !isReady { read() }
  }

  /// Reads to the first record; throws if the input has none.
  func requireBeginning() throws(CaptureFileError) {
    readBeginning()
    if let failure, track.period == nil { throw failure }
  }

  /// Reads until no cue from before `time` can come late.
  func readAhead(of time: Instant) {
    while !hasEnded, pending.last.map({ $0 <= time }) ?? true { read() }
  }

  func updateInterest(isHeld: Bool) {
    do {
      try io?.setInterest(pending.count < Self.mostPending && !isHeld ? .readable : [])
    } catch {
      io = nil
    }
  }
}
