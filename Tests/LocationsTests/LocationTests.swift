import Geodesy
import Instants
import Locations
import Records
import Testing

/// 2026-11-21T12:00:00Z.
private let noon = Instant(microseconds: 1_795_262_400_000_000)
private let day = Span.seconds(86_400)
private let boot = Instant(microseconds: 5_000_000)

private func receipt(isSynchronised: Bool = true, wallClock: Instant = noon) -> Receipt {
  Receipt(instant: boot, wallClock: .init(time: wallClock, isSynchronised: isSynchronised))
}

private func reading(_ change: (inout LocationReading) -> Void = { _ in }) -> LocationReading {
  var reading = LocationReading(latitude: 50.25, longitude: 8.5, horizontalAccuracy: 4, time: noon)
  change(&reading)
  return reading
}

@Suite struct LocationTests {
  @Test func `a location has the values of its reading, and nil for missing ones`() throws {
    let location = try Location(
      reading {
        ($0.altitude, $0.ellipsoidalAltitude, $0.verticalAccuracy, $0.floor) = (112.5, 160.4, 7.5, -1)
        ($0.speed, $0.speedAccuracy, $0.course, $0.courseAccuracy) = (1.389, 0.2, 40.5, 3)
      }, from: .gpsd, at: receipt())
    #expect(location.coordinate == Coordinate(latitude: 50.25, longitude: 8.5))
    #expect((location.altitude, location.ellipsoidalAltitude, location.verticalAccuracy) == (112.5, 160.4, 7.5))
    #expect((location.horizontalAccuracy, location.floor) == (4, -1))
    #expect((location.speed, location.speedAccuracy, location.course, location.courseAccuracy) == (1.389, 0.2, 40.5, 3))
    #expect((location.time, location.received, location.measured, location.source) == (noon, boot, boot, .gpsd))
    let bare = try Location(LocationReading(latitude: 0, longitude: 0), from: .gpsd, at: receipt())
    #expect((bare.altitude, bare.ellipsoidalAltitude, bare.horizontalAccuracy, bare.verticalAccuracy) == (nil, nil, nil, nil))
    #expect((bare.speed, bare.speedAccuracy, bare.course, bare.courseAccuracy) == (nil, nil, nil, nil))
    #expect((bare.floor, bare.time) == (nil, nil))
  }

  static let impossible: [(String, LocationRefusal, @Sendable (inout LocationReading) -> Void)] = [
    ("mode 1 with coordinates", .noFix, { $0.isFix = false }),
    ("latitude 91", .latitude, { $0.latitude = 91 }), ("latitude -90.1", .latitude, { $0.latitude = -90.1 }),
    ("latitude NaN", .latitude, { $0.latitude = .nan }), ("longitude 180.1", .longitude, { $0.longitude = 180.1 }),
    ("longitude NaN", .longitude, { $0.longitude = .nan }), ("longitude infinite", .longitude, { $0.longitude = -.infinity }),
    ("altitude NaN", .altitude, { $0.altitude = .nan }), ("altitude -13 km", .altitude, { $0.ellipsoidalAltitude = -13_000 }),
    ("negative accuracy", .accuracy, { $0.horizontalAccuracy = -1 }), ("accuracy NaN", .accuracy, { $0.verticalAccuracy = .nan }),
    ("infinite accuracy", .accuracy, { $0.speedAccuracy = .infinity }), ("negative course accuracy", .accuracy, { $0.courseAccuracy = -1 }),
    ("an accuracy beyond the earth", .accuracy, { $0.horizontalAccuracy = 20_000_001 }),
    ("the largest accuracy", .accuracy, { $0.horizontalAccuracy = .greatestFiniteMagnitude }),
    ("negative speed", .motion, { $0.speed = -1 }), ("speed NaN", .motion, { $0.speed = .nan }),
    ("a cosmic speed", .motion, { $0.speed = 20_000 }), ("course -1", .motion, { $0.course = -1 }),
    ("course 361", .motion, { $0.course = 361 }), ("course NaN", .motion, { $0.course = .nan }),
    ("1970", .beforeRelease, { $0.time = Instant(microseconds: 0) }),
    ("before the release", .beforeRelease, { $0.time = Receipt.release - .seconds(1) }),
    ("the beginning of time", .beforeRelease, { $0.time = Instant(microseconds: .min) }),
    ("tomorrow", .ahead, { $0.time = noon + day }), ("the end of time", .ahead, { $0.time = .never }),
  ]

  @Test(arguments: impossible.indices)
  func `an impossible reading is refused with its reason`(index: Int) {
    let (name, refusal, change) = Self.impossible[index]
    #expect(throws: refusal, "\(name)") { try Location(reading(change), from: .gpsd, at: receipt()) }
  }

  @Test(arguments: LocationRefusal.allCases)
  func `every refusal has its own text and a test case`(refusal: LocationRefusal) {
    #expect(Self.impossible.contains { $0.1 == refusal })
    #expect(LocationRefusal.allCases.count { $0.words == refusal.words } == 1)
  }

  @Test(arguments: [(0.001, 0.001), (0.000_999, nil), (1e-300, nil), (20_000_000, 20_000_000)] as [(Double, Double?)])
  func `an impossible accuracy becomes unknown`(said: Double, accuracy: Double?) throws {
    #expect(try Location(reading { $0.horizontalAccuracy = said }, from: .gpsd, at: receipt()).horizontalAccuracy == accuracy)
  }

  @Test func `an accuracy of zero is unknown, and a course of 360° is north`() throws {
    let location = try Location(
      reading { ($0.horizontalAccuracy, $0.verticalAccuracy, $0.course) = (0, 0, 360) }, from: .geoClue, at: receipt())
    #expect((location.horizontalAccuracy, location.verticalAccuracy, location.course) == (nil, nil, 0))
  }

  @Test func `a synchronised clock gives the age of a late fix, which grows from there`() throws {
    let stale = try Location(reading { $0.time = noon - .seconds(300) }, from: .geoClue, at: receipt())
    #expect(stale.measured == boot - .seconds(300))
    #expect(stale.age(at: boot + .seconds(7)) == .seconds(307))
    let slightlyAhead = try Location(reading { $0.time = noon + .seconds(18) }, from: .gpsd, at: receipt())
    #expect(slightlyAhead.measured == boot)
  }

  @Test func `an unsynchronised clock trusts the receiver, and ages count from receipt`() throws {
    let inThe1970s = receipt(isSynchronised: false, wallClock: Instant(microseconds: 60_000_000))
    let location = try Location(reading(), from: .gpsd, at: inThe1970s)
    #expect((location.time, location.measured) == (noon, boot))
    #expect(throws: LocationRefusal.beforeRelease) {
      try Location(reading { $0.time = Instant(microseconds: 0) }, from: .gpsd, at: inThe1970s)
    }
  }

  @Test func `a recorded fix may have any time`() throws {
    let then = Instant(microseconds: 1_000_000)
    let location = try Location(reading { $0.time = then }, from: .gpsd, at: Receipt(recorded: then))
    #expect((location.measured, location.age(at: then + .seconds(2))) == (then, .seconds(2)))
  }

  @Test func `an age is never negative`() throws {
    #expect(try Location(reading(), from: .gpsd, at: receipt()).age(at: boot - .seconds(1)) == .zero)
  }

  @Test func `the record of a location has a fixed number of decimals and survives reading`() throws {
    let location = try Location(
      reading {
        ($0.latitude, $0.longitude) = (50.252056667, -8.509463333)
        ($0.altitude, $0.speed, $0.course, $0.floor) = (112, 1.389, 40.52, -1)
      }, from: .gpsd, at: receipt())
    let json = location.report(at: boot + .milliseconds(1500)).record.json
    #expect(
      json
        == #"{"latitude":50.2520567,"longitude":-8.5094633,"altitude":112.00,"horizontalAccuracy":4.00,"speed":1.39,"course":40.5,"floor":-1,"#
        + #""time":"2026-11-21T12:00:00.000000Z","age":1.500,"source":"gpsd"}"#)
    #expect(try Record(json: json).json == json)
  }

  @Test func `a heading is the latest of the compass, relative to true or magnetic north`() throws {
    var compass = Compass()
    #expect(compass.report(at: boot, patience: .seconds(10)) == nil)
    compass.take(try #require(HeadingReading(magneticHeading: 101.1)), at: boot)
    compass.take(try #require(HeadingReading(trueHeading: 359.99)), at: boot + .seconds(2))
    #expect(
      compass.report(at: boot + .seconds(3), patience: .seconds(10))?.record.json
        == #"{"trueHeading":0.0,"magneticHeading":101.1,"age":1.000}"#)
    #expect(compass.report(at: boot + .seconds(11), patience: .seconds(10))?.record.json == #"{"trueHeading":0.0,"age":9.000}"#)
    #expect(compass.report(at: boot + .seconds(13), patience: .seconds(10)) == nil)
    // The heading lies just below north.
    #expect(HeadingReading(magneticHeading: 0.3, variation: -0.30000000000000004)?.trueHeading == 0)
  }

  @Test func `rounding never gives an accuracy of zero or a course of 360°`() throws {
    let location = try Location(
      reading { ($0.horizontalAccuracy, $0.verticalAccuracy, $0.course) = (0.004, 0.002, 359.96) }, from: .gpsd, at: receipt())
    let record = location.report(at: boot).record
    #expect(record["horizontalAccuracy"] == .metres(0.01) && record["verticalAccuracy"] == .metres(0.01))
    #expect(record["course"]?.plainText == "0.0")
  }
}

extension Location.Source {
  static let gpsd = Location.Source("gpsd")
  static let geoClue = Location.Source("geoClue", lifetime: .seconds(300), isSteady: false)
}
