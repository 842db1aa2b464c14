import BeaconAdvertising
import Beacons
import Captures
import ConsentService
import EventLoop
import Events
import Glibc
import Instants
import LocationArbitration
import Locations
import Monitoring
import Motion
import Positioning
import RealModule
import Ranging
import Regions
import TestSupport
import Testing
import Venues

/// A recording of a device with sensors, played by another one.
@Suite struct RecordedMotionTests {
  private static let places = [(4.0, 4.0), (10, 4), (16, 4), (4, 13), (10, 13), (16, 13)].enumerated().map { number, point in
    Place(id: "exhibit \(number)", position: PlanPoint(x: point.0, y: point.1), radius: 3)
  }

  private static func venue(_ uuid: BeaconUUID) throws -> Venue {
    let beacons = try Fixture.text("gallery.beacons.csv").split(separator: "\n").dropFirst().map { line in
      let values = line.split(separator: ",").map { Double($0) ?? .nan }
      return PlannedBeacon(
        identity: BeaconIdentity(uuid: uuid, major: 1, minor: UInt16(values[0])), position: PlanPoint(x: values[1], y: values[2]),
        height: values[3])
    }
    let hall = try #require(PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 20.66, y: 17.64)))
    return Venue(id: "gallery", frame: nil, levels: [VenueLevel(walkable: [hall])], beacons: beacons, places: places)
  }

  /// The monitoring of the exhibits with a source, and its events.
  private struct Device {
    let monitoring: MonitoringService
    let bus = FakeBus()
    let consent: ConsentService
    let positioning: PositioningService

    init(_ scheduler: ManualScheduler, _ source: any SightingSource, _ sensors: FakeMotion?, _ venue: Venue) {
      let log = LogLines().logger
      let (files, clock) = (Scene.Files(), StillClock())
      consent = ConsentService(scheduler, files.consent, FakeDirectory(), FakeDialog(), ownUser: 990, rules: [], log: log)
      positioning = PositioningService(scheduler, [], clock, sensors, log: log)
      let regions = RecordedMotionTests.places.map { Region.place(PlaceRegion(identifier: $0.id, area: VenueArea(.place($0.id)))) }
      let settings = MonitoringSettings(
        regions: regions, adapters: [], ranging: RangingSettings(isCalibrated: true),
        catalogue: Catalogue([venue]))
      monitoring = MonitoringService(
        scheduler, source, settings, journal: JournalService(scheduler, files.journal, heartbeat: { Heartbeat(time: $0) }, log: log),
        consent: consent, registrations: Registrations(files.consent, log: log), positioning: positioning, indoor: IndoorSource(clock),
        decoder: FakeDecoder(),
        openJournal: { JournalService(scheduler, files.user($0), heartbeat: { Heartbeat(time: $0) }, log: log) }, log: log)
      monitoring.bus = bus
    }

    var events: [String] {
      zip(bus.events, bus.details).map { "\($0) \($1.time?.microseconds ?? 0) \($1.reason.probability ?? 0)" }
    }
  }

  private final class StillClock: LocationClock {
    let now = Instant(microseconds: 0)
    let speed = 1.0
    func wallClock(_ instant: Instant) -> Instant { instant }
  }

  private final class FakeMotion: MotionSensors {
    var onSamples: ([MotionSample]) -> Void = { _ in }
    var isOn = false
  }

  /// Walks through the hall with a device whose sensors report rest from a second on.
  ///
  /// Returns its events and two recordings, of which the second lacks the motion.
  private func walk(restFrom rest: Int) throws -> (events: [String], recording: [UInt8], plain: [UInt8], uuid: BeaconUUID) {
    var sightings: [Sighting] = []
    var decoder = CaptureDecoder()
    let octets = try Fixture.octets("gallery-rectangular_without_rotation.btsnoop")
    try decoder.decode(octets.span.bytes, into: &sightings)
    let first = try #require(sightings.first)
    let last = try #require(sightings.last)
    let uuid = first.beacon.uuid
    let (scheduler, source, sensors) = (ManualScheduler(), FakeSource(), FakeMotion())
    let device = Device(scheduler, source, sensors, try Self.venue(uuid))
    let epoch = source.wallClock(Instant(microseconds: 0)) - Instant(microseconds: 0)
    var now = Instant(microseconds: first.time.microseconds / 1_000_000 * 1_000_000)
    source.now = now
    let (moving, plain) = (Recorded(at: now, sinceEpoch: epoch), Recorded(at: now, sinceEpoch: epoch))
    device.monitoring.onMotion = { moving.take($0, at: $1) }
    device.monitoring.start()
    source.begin(at: (now - Instant(microseconds: 0)).seconds)
    var remaining = sightings[...]
    let seconds = Int(last.time.microseconds / 1_000_000 - now.microseconds / 1_000_000) + 1
    for second in 0..<seconds {
      now = now + .seconds(1)
      let heard = Array(remaining.prefix { $0.time <= now })
      remaining = remaining.dropFirst(heard.count)
      for sighting in heard {
        moving.hear(sighting)
        plain.hear(sighting)
      }
      // A moment after the second, as on a device.
      source.hear(heard, through: now + .milliseconds(3))
      scheduler.advance(by: .seconds(1))
      if sensors.isOn { sensors.onSamples(Self.samples(isAtRest: second >= rest, before: scheduler.now)) }
    }
    source.pass(to: (now - Instant(microseconds: 0)).seconds + 120)
    return (device.events, moving.octets(until: source.now), plain.octets(until: source.now), uuid)
  }

  /// A recording of a fake source.
  private final class Recorded {
    private var recording: Recording

    init(at time: Instant, sinceEpoch: Span) {
      recording = Recording(RecordingOptions(), source: "fake", key: (1, 2), at: time, sinceEpoch: sinceEpoch)
    }

    func hear(_ sighting: Sighting) {
      recording.hear(AdvertisingReport(sighting), adapter: sighting.adapter, at: sighting.time) { _ in nil }
    }

    func take(_ motion: DeviceMotion, at time: Instant) { recording.note(state: RecordedMotion(motion, at: time).text, at: time) }

    func octets(until time: Instant) -> [UInt8] {
      recording.end("enough", at: time)
      var octets: [UInt8] = []
      _ = recording.drain { waiting in
        octets = Array(waiting)
        return waiting.count
      }
      return octets
    }
  }

  /// Returns the samples of a second, of a device that lies on a table or is carried by a walker.
  private static func samples(isAtRest: Bool, before end: Instant) -> [MotionSample] {
    (1...25).map { number in
      let time = end - .milliseconds(Int64(1000 - number * 40))
      let phase = Double(time.microseconds % 1_000_000_000) / 1e6 * 2 * .pi * 1.9
      return MotionSample(.acceleration([0, 0, isAtRest ? 9.8 : 9.8 + 3 * .sin(phase)]), at: time)
    }
  }

  /// Plays a recording, and returns the events.
  private func play(_ recording: [UInt8], _ uuid: BeaconUUID, hasMotion: Bool = true) throws -> [String] {
    let folder = try TemporaryDirectory()
    let path = folder.file("walk.btsnoop")
    let file = FileDescriptor(owning: open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    let count = write(file.number, recording, recording.count)
    #expect(count == recording.count)
    let loop = try Loop()
    let source = try CaptureSource(loop, beacons: path, walk: nil, pace: .unpaced, adapters: [], log: LogLines().logger)
    let device = Device(ManualScheduler(), source, nil, try Self.venue(uuid))
    var motions: Set<DeviceMotion.Activity> = []
    device.monitoring.onMotion = { [positioning = device.positioning] motion, _ in
      // Guidance reads the motion there.
      #expect(positioning.motion == motion)
      motions.insert(motion.activity)
    }
    device.monitoring.start()
    try loop.wait { source.hasEnded }
    #expect(motions.isEmpty == !hasMotion)
    return device.events
  }

  @Test func `a recording of a device with sensors plays to the same events, and without its motion to others`() throws {
    let (events, recording, plain, uuid) = try walk(restFrom: 45)
    #expect(events.count > 4, "\(events)")
    #expect(try play(recording, uuid) == events)
    #expect(try play(plain, uuid, hasMotion: false) != events)
  }
}
