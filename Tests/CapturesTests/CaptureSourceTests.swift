import BeaconAdvertising
import Beacons
import Captures
import EventLoop
import Failures
import Foundation
import Instants
import Locations
import Monitoring
import Motion
import Proximity
import RadioHealth
import Ranging
import TestSupport
import Testing
import TrackRecordings

@Suite struct CaptureSourceTests {
  private static let beacons = Fixture.path("gallery-straight_01.btsnoop")
  private static let walk = Fixture.path("walk.nmea")

  private let loop: Loop
  private let lines = LogLines()

  init() throws {
    loop = try Loop()
  }

  private func source(beacons: String? = beacons, walk: String? = nil) throws -> CaptureSource {
    try CaptureSource(loop, beacons: beacons, walk: walk, pace: .unpaced, adapters: [], log: lines.logger)
  }

  /// Plays a source until `hasEnded`, and returns the number of its sightings.
  @discardableResult private func play(_ source: CaptureSource, until hasEnded: () -> Bool) throws -> Int {
    var count = 0
    source.start { [loop] step in
      if case .heard(let sightings, _) = step { count += sightings.count }
      loop.stop()
    }
    try loop.wait { hasEnded() }
    return count
  }

  @Test func `a capture scans while it plays and pauses after its end`() throws {
    let source = try source()
    source.demand = .strength
    #expect(source.name == "capture:\(Self.beacons)" && source.state == .scanning && source.located == nil)
    #expect(source.receivers == .all(.hearing))
    #expect(try play(source) { source.state == .paused } > 0)
    #expect(source.receivers == .all(.paused) && source.note == nil)
  }

  @Test func `a capture without demand is idle and delivers no sightings, but a recording gets them`() throws {
    let source = try source()
    var reports = 0
    source.tap = AdvertisementTap(packet: { _, _, _ in }, report: { _, _, _ in reports += 1 })
    #expect(source.state == .idle && source.receivers == .all(.paused))
    #expect(try play(source) { source.state == .paused } == 0)
    #expect(reports > 0)
  }

  @Test func `a walk without beacons delivers its locations up to its end`() throws {
    let source = try source(beacons: nil, walk: Self.walk)
    let locations = Listener()
    source.locations = locations
    #expect(source.name == "none" && !source.hearsBeacons && source.state == .nothing && source.located?.source == .capture)
    try play(source) { locations.hasEnded }
    #expect(locations.reports > 0 && source.state == .nothing)
    #expect(source.lines != nil)
  }

  @Test func `a capture and a walk of different days are reported`() throws {
    _ = try source(walk: Self.walk)
    #expect(lines.all.count == 1)
    #expect(
      lines.all[0].hasPrefix("the capture begins at ")
        && lines.all[0].hasSuffix(": they play one after the other; record both at the same time to play them together"))
  }

  @Test func `a missing capture is a missing input`() throws {
    let error = #expect(throws: Failure.self) { try source(beacons: "/nowhere/walk.btsnoop") }
    #expect(error?.status == .noInput)
  }

  @Test func `the check of recordings throws what a start throws, the reason of a missing file first`() throws {
    let folder = try TemporaryDirectory()
    let empty = folder.file("empty")
    try Data().write(to: URL(fileURLWithPath: empty))
    let missing = folder.file("missing")
    for (beacons, walk) in [
      (missing, nil), (empty, nil), (nil, missing), (nil, empty), (empty, missing), (empty, Self.walk), (Self.beacons, empty),
    ] as [(String?, String?)] {
      let expected = #expect(throws: Failure.self) { try source(beacons: beacons, walk: walk) }
      let failure = #expect(throws: Failure.self) { try CaptureSource.check(beacons: beacons, walk: walk) }
      #expect(failure == expected)
    }
    try CaptureSource.check(beacons: Self.beacons, walk: Self.walk)
    try CaptureSource.check(beacons: nil, walk: nil)
  }

  @Test func `the check takes no data from a pipe or standard input`() throws {
    let folder = try TemporaryDirectory()
    let pipe = folder.file("pipe")
    mkfifo(pipe, 0o600)
    let writer = FileDescriptor(owning: open(pipe, O_RDWR | O_CLOEXEC | O_NONBLOCK))
    #expect(write(writer.number, "x", 1) == 1)
    try CaptureSource.check(beacons: pipe, walk: "-")
    var octet: UInt8 = 0
    #expect(read(writer.number, &octet, 1) == 1)
  }

  @Test func `standard input, a FIFO and a device are streams, unlike a file, a folder and a missing path`() throws {
    let folder = try TemporaryDirectory()
    let pipe = folder.file("pipe")
    mkfifo(pipe, 0o600)
    for stream in ["-", pipe, "/dev/null"] { #expect(CaptureFile.isStream(stream), "\(stream)") }
    for other in [Self.beacons, folder.path, folder.file("none")] { #expect(!CaptureFile.isStream(other), "\(other)") }
  }

  @Test func `the motion of the recorded device is unknown after the end of its capture`() throws {
    var recording = Recording(RecordingOptions(), source: "test", key: (1, 2), at: Instant(microseconds: 0), sinceEpoch: .seconds(1e9))
    for activity in [DeviceMotion.Activity.walking, .still] {
      let time = Instant(microseconds: activity == .still ? 2_000_000 : 1_000_000)
      recording.note(state: RecordedMotion(DeviceMotion(activity), at: time).text, at: time)
    }
    recording.end("enough", at: Instant(microseconds: 3_000_000))
    let folder = try TemporaryDirectory()
    let path = folder.file("motion.btsnoop")
    var octets: [UInt8] = []
    _ = recording.drain { waiting in
      octets = Array(waiting)
      return waiting.count
    }
    try Data(octets).write(to: URL(fileURLWithPath: path))
    let source = try source(beacons: path)
    var motions: [DeviceMotion] = []
    source.start { [loop] step in
      if case .moved(let motion, _) = step { motions.append(motion) }
      loop.stop()
    }
    try loop.wait { source.hasEnded }
    #expect(motions.map(\.activity) == [.walking, .still, .unknown])
  }

  private final class Listener: PlayedLocations {
    private(set) var reports = 0
    private(set) var hasEnded = false

    func take(_ report: SourceReport, at now: Instant) { reports += 1 }
    func end() { hasEnded = true }
  }
}
