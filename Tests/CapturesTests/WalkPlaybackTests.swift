import BeaconAdvertising
import Captures
import EventLoop
import Glibc
import Instants
import Locations
import TestSupport
import Testing
import TrackRecordings

/// Playback of a walk, alone and with beacons.
@Suite struct WalkPlaybackTests {
  enum Told: Equatable {
    case sighting(Instant)
    case report(Instant)
  }

  /// Returns the outputs until the end, each with its own time, and whether a step went back in time.
  private func play(_ pace: CapturePlayback.Pace, _ tracks: [any PlaybackTrack]) throws -> (told: [Told], wentBack: Bool) {
    let loop = try Loop()
    var (told, wentBack): ([Told], Bool) = ([], false)
    let playback = Holder<CapturePlayback>()
    _ = try loop.value { (done: @escaping (Bool) -> Void) in
      var through = Instant(microseconds: 0)
      playback.value = try CapturePlayback(loop, tracks, pace: pace) { step in
        switch step {
        case .started(let time): through = time
        case .heard(let sightings, let time):
          told += sightings.map { .sighting($0.time) }
          wentBack = wentBack || time < through
          through = time
        case .located(let report, let time):
          if case .reading = report.report { told.append(.report(report.time)) }
          wentBack = wentBack || time < through
          through = time
        case .moved, .ended: break
        case .failed, .finished: done(true)
        }
      }
      playback.value?.start()
    }
    return (told, wentBack)
  }

  /// A btsnoop capture of data link 1002.
  private func write(beaconsAt times: [Instant], to path: String) throws {
    func octets(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
    var file = Array("btsnoop\0".utf8) + octets(UInt32(1)) + octets(UInt32(1002))
    let packet = Packets.iBeacon(minor: 1)
    for time in times {
      for _ in 0..<2 { file += octets(UInt32(packet.count)) }
      file += octets(UInt32(3)) + octets(UInt32(0)) + octets(time.microseconds + 0x00DC_DDB3_0F2F_8000) + packet
    }
    let stream = try #require(fopen(path, "w"))
    #expect(fwrite(file, 1, file.count, stream) == file.count)
    fclose(stream)
  }

  private static let walk = Fixture.path("walk.nmea")

  @Test(arguments: [.unpaced, .speed(200)] as [CapturePlayback.Pace])
  func `a walk without beacons is played by its own times`(pace: CapturePlayback.Pace) throws {
    let result = try play(pace, [try WalkTrack(path: Self.walk)])
    let start = try #require(Instant(rfc3339: "2025-06-01T12:00:00Z"))
    #expect(result.told == (0..<30).map { .report(start + Span.seconds(Double($0))) })
    #expect(!result.wentBack)
  }

  /// Beacons and fixes of the same half minute.
  @Test(arguments: [.unpaced, .speed(100)] as [CapturePlayback.Pace])
  func `beacons and a walk are played on one time axis`(pace: CapturePlayback.Pace) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("walk.btsnoop")
    let start = try #require(Instant(rfc3339: "2025-06-01T12:00:00Z"))
    try write(beaconsAt: (0..<40).map { start + Span.milliseconds(700 * $0 - 5000) }, to: path)
    let result = try play(pace, [try SightingTrack(path: path, pace: pace), try WalkTrack(path: Self.walk)])
    let times = result.told.map { if case .sighting(let time) = $0 { time } else if case .report(let time) = $0 { time } else { start } }
    #expect(times == times.sorted() && times.count == 70)
    #expect(!result.wentBack)
  }
}
