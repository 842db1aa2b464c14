import EventLoop
import Glibc
import Instants

/// One track of a playback, and what of it was read and not told.
final class PlaybackLane {
  /// A pipe that writes faster than it plays waits when so much is pending.
  private static let mostPending = 50_000

  let track: any PlaybackTrack
  var pending = PlaybackCues()
  private(set) var failure: CaptureFileError?
  private(set) var hasEnded = false
  /// Nil for what is always readable, and after the end.
  private var io: IOSource?

  init(_ track: any PlaybackTrack) {
    self.track = track
  }

  var isPipe: Bool { io != nil }
  /// It has begun, or never will.
  var isReady: Bool { hasEnded || track.period != nil }

  /// Waits for a pipe from now on. A device that cannot be waited for is read as a file is.
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

  /// Makes sure that nothing from before `time` is told late.
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
