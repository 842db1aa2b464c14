import BeaconAdvertising
import Captures
import EventLoop
import Glibc
import Instants
import TestSupport
import Testing

@Suite struct CapturePlaybackTests {
  static let walk = Fixture.path("gallery-straight_01.btsnoop")

  /// The outputs of a playback until its end.
  final class Listener {
    var sightings: [Sighting] = []
    var through: [Instant] = []
    var started: Instant?
    var failure: CaptureFileError?
    var hasEnded = false
    var late = 0
  }

  /// - Parameter runOn: The time after the last sighting until which the listener requests a wake-up.
  private func play(_ path: String, _ pace: CapturePlayback.Pace, runOn: Span = .zero) throws -> Listener {
    let loop = try Loop()
    let listener = Listener()
    let playback = Holder<CapturePlayback>()
    _ = try loop.value { (done: @escaping (Bool) -> Void) in
      playback.value = try CapturePlayback(loop, path: path, pace: pace) { step in
        switch step {
        case .started(let time): listener.started = time
        case .located, .moved: break
        case .heard(let sightings, let time):
          listener.late += sightings.count { $0.time > time || $0.time < (listener.through.last ?? listener.started ?? time) }
          listener.sightings += sightings
          listener.through.append(time)
          let last = listener.sightings.last.map { $0.time + runOn } ?? .never
          playback.value?.wake = time < last ? last : .never
        case .ended(let failure):
          listener.failure = failure
          listener.hasEnded = true
        case .failed(let failure):
          listener.failure = failure
          done(false)
        case .finished: done(true)
        }
      }
      playback.value?.start()
    }
    return listener
  }

  @Test(arguments: [.unpaced, .speed(500)] as [CapturePlayback.Pace])
  func `a wake-up requested after the end of a playback fires`(pace: CapturePlayback.Pace) throws {
    let loop = try Loop()
    let playback = Holder<CapturePlayback>()
    var (told, wanted) = (Instant.never, Instant.never)
    _ = try loop.value { (done: @escaping (Bool) -> Void) in
      playback.value = try CapturePlayback(loop, path: Self.walk, pace: pace) { step in
        switch step {
        case .heard(_, let time):
          told = time
          if time >= wanted {
            playback.value?.wake = .never
            done(true)
          }
        case .finished:
          loop.enqueue {
            wanted = told + .seconds(20)
            playback.value?.wake = wanted
          }
        case .started, .located, .moved, .ended, .failed: break
        }
      }
      playback.value?.start()
    }
    #expect(told >= wanted)
  }

  @Test(arguments: [.unpaced, .speed(500)] as [CapturePlayback.Pace])
  func `every sighting is delivered once, in order and in time`(pace: CapturePlayback.Pace) throws {
    let listener = try play(Self.walk, pace)
    #expect(listener.sightings.count == CaptureReaderTests.walkSightings)
    #expect(listener.started == listener.sightings.first?.time)
    #expect(listener.late == 0)
    #expect(zip(listener.through, listener.through.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test(arguments: [.unpaced, .speed(500)] as [CapturePlayback.Pace])
  func `time continues after the end of a playback as long as requested`(pace: CapturePlayback.Pace) throws {
    let listener = try play(Self.walk, pace, runOn: .seconds(30))
    let end = try #require(listener.sightings.last).time
    #expect(try #require(listener.through.last) >= end + .seconds(30))
  }

  @Test func `a walk of a minute takes a second at sixty times the speed`() throws {
    let loop = try Loop()
    let start = loop.now
    let listener = try play(Self.walk, .speed(60))
    let first = try #require(listener.sightings.first).time
    let seconds = (try #require(listener.sightings.last).time - first).seconds / 60
    #expect((loop.now - start).seconds >= seconds)
    // Time advances in many small steps, not in one at the end.
    #expect(listener.through.count > 40)
  }

  @Test func `a FIFO is played while it is written, and ends with its writer`() throws {
    let folder = try TemporaryDirectory()
    let fifo = folder.file("capture")
    try #require(mkfifo(fifo, 0o600) == 0)
    let loop = try Loop()
    var heard = 0
    var writer: Int32 = -1
    let octets = try Fixture.octets("gallery-straight_01.btsnoop")
    let playback = Holder<CapturePlayback>()
    let total = try loop.value { (done: @escaping (Int) -> Void) in
      playback.value = try CapturePlayback(loop, path: fifo, pace: .unpaced) { step in
        switch step {
        case .heard(let sightings, _):
          let isFirst = heard == 0
          heard += sightings.count
          // The second half is written only after sightings of the first arrived.
          if isFirst && heard > 0 {
            _ = octets[50_000...].withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
            close(writer)
          }
        case .started: playback.value?.wake = .never
        case .finished: done(heard)
        case .located, .moved, .ended, .failed: break
        }
      }
      // A wake-up requested before the playback must not start reading.
      playback.value?.wake = Instant(microseconds: 1)
      loop.enqueue {
        loop.enqueue {
          playback.value?.start()
          writer = open(fifo, O_WRONLY | O_CLOEXEC)
          _ = octets[..<50_000].withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
        }
      }
    }
    #expect(total == CaptureReaderTests.walkSightings)
  }

  @Test func `a truncated capture is played to its end, and the truncation is reported`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("cut.btsnoop")
    try Child.run("/bin/dd", ["if=" + Self.walk, "of=" + path, "bs=1", "count=200", "status=none"])
    let listener = try play(path, .unpaced)
    #expect(listener.sightings.count == 2)
    #expect(listener.failure?.isTruncation == true)
  }

  @Test func `a file that is not a capture is refused before playback`() throws {
    #expect(throws: CaptureFileError(name: "/etc/passwd", cause: .content(.notBtsnoop))) { try play("/etc/passwd", .speed(1)) }
  }
}
