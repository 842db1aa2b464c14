@testable import GPSD
import Instants
import Locations
import Records
import TestSupport
import Testing

private let tpv =
  #"{"class":"TPV","device":"/dev/pts/1","mode":3,"time":"2026-11-21T12:00:00.000Z","ept":0.005,"lat":50.252056667,"lon":8.509463333,"#
  + #""altHAE":160.4000,"altMSL":112.5000,"alt":112.5000,"epv":34.500,"track":40.5000,"magtrack":43.0898,"speed":1.389,"eps":19.6,"eph":17.100}"#
private let gst =
  #"{"class":"GST","device":"/dev/pts/1","time":"2026-11-21T12:00:00.000Z","rms":3.1,"major":5,"minor":3.200,"lat":4.100,"lon":3.900,"alt":7.500}"#

private func decode(_ lines: String...) -> (reports: [GPSDReport], counts: LineCounts<GPSDFault>) {
  var decoder = GPSDDecoder(isRecording: true)
  var reports: [GPSDReport] = []
  decoder.decode(Array(lines.map { $0 + "\r\n" }.joined().utf8), into: &reports)
  return (reports, decoder.counts)
}

extension [GPSDReport] {
  fileprivate var readings: [LocationReading] {
    compactMap { if case .epoch(.reading(let reading), _) = $0 { reading } else { nil } }
  }
}

@Suite struct GPSDDecoderTests {
  @Test func `a position report becomes a reading, with errors at 95 % converted to one sigma`() throws {
    let (reports, counts) = decode(tpv)
    let reading = try #require(reports.readings.first)
    #expect((reading.latitude, reading.longitude) == (50.252056667, 8.509463333))
    #expect((reading.altitude, reading.ellipsoidalAltitude) == (112.5, 160.4))
    #expect((reading.speed, reading.course) == (1.389, 40.5))
    #expect(reading.horizontalAccuracy == 17.1 / 2.4477)
    #expect(reading.verticalAccuracy == 34.5 / 1.96)
    #expect(reading.speedAccuracy == 19.6 / 1.96)
    #expect(reading.time == Instant(rfc3339: "2026-11-21T12:00:00Z"))
    #expect(reading.isFix)
    #expect((counts.used, counts.lines) == (1, 1))
  }

  @Test(
    arguments: [
      (tpv.replacing(#","eph":17.100"#, with: #","epx":19.6,"epy":19.6"#), 10), (tpv.replacing(#","eph":17.100"#, with: ""), nil),
      (tpv.replacing(#","eph":17.100"#, with: #","epx":-3,"epy":9"#), -3),
    ] as [(String, Double?)])
  func `the accuracy without a radius follows from the axes, if present`(line: String, accuracy: Double?) throws {
    let reading = try #require(decode(line).reports.readings.first)
    #expect((reading.horizontalAccuracy == nil) == (accuracy == nil))
    #expect(abs((reading.horizontalAccuracy ?? 0) - (accuracy ?? 0)) < 1e-9)
  }

  @Test(arguments: [("12:00:01", true), ("12:00:05", true), ("12:00:06", false), ("11:59:59", false)])
  func `the receiver's own deviations take precedence over gpsd's estimate while they are fresh`(time: String, isFresh: Bool) throws {
    let reading = try #require(decode(gst, tpv.replacing("12:00:00", with: time)).reports.readings.first)
    let own = ((4.1 * 4.1 + 3.9 * 3.9) / 2).squareRoot()
    #expect(reading.horizontalAccuracy == (isFresh ? own : 17.1 / 2.4477))
    #expect(reading.verticalAccuracy == (isFresh ? 7.5 : 34.5 / 1.96))
  }

  @Test func `deviations apply only to their own receiver, until it is unplugged`() throws {
    let other = gst.replacing("pts/1", with: "pts/2")
    let gone = #"{"class":"DEVICE","path":"/dev/pts/1","activated":0}"#
    for reports in [decode(other, tpv), decode(gst, gone, tpv), decode(gst, #"{"class":"DEVICES","devices":[]}"#, tpv)].map(\.reports) {
      #expect(try #require(reports.readings.first).horizontalAccuracy == 17.1 / 2.4477)
    }
  }

  @Test(arguments: [(0, false), (1, false), (2, true), (3, true)])
  func `the mode decides whether coordinates count as a fix`(mode: Int, isFix: Bool) throws {
    let reading = try #require(decode(tpv.replacing("\"mode\":3", with: "\"mode\":\(mode)")).reports.readings.first)
    #expect(reading.isFix == isFix)
    #expect((reading.altitude == nil) == (mode != 3))
    #expect((reading.ellipsoidalAltitude == nil) == (mode != 3))
    #expect((reading.verticalAccuracy == nil) == (mode != 3))
  }

  @Test(arguments: [(1, true, true), (2, true, true), (4, true, true), (5, true, false), (6, true, true), (8, false, true)])
  func `a simulated position is not a fix, and dead reckoning has no accuracy`(status: Int, isFix: Bool, isAccurate: Bool) throws {
    let line = tpv.replacing("\"mode\":3", with: "\"status\":\(status),\"mode\":3")
    let reading = try #require(decode(gst, line).reports.readings.first)
    #expect((reading.isFix, reading.horizontalAccuracy != nil) == (isFix, isAccurate))
  }

  @Test func `zero deviations count as unknown`() throws {
    let zero = gst.replacing("4.1", with: "0.0").replacing("3.9", with: "0.0")
    #expect(try #require(decode(zero, tpv).reports.readings.first).horizontalAccuracy == 17.1 / 2.4477)
  }

  @Test func `the only altitude of an older gpsd is the one above mean sea level`() throws {
    let line = tpv.replacing(#""altHAE":160.4000,"altMSL":112.5000,"#, with: "")
    let reading = try #require(decode(line).reports.readings.first)
    #expect((reading.altitude, reading.ellipsoidalAltitude) == (112.5, nil))
  }

  @Test func `a receiver without a fix is searching, with the number of satellites from the sky report`() {
    let none = #"{"class":"TPV","device":"/dev/pts/1","mode":1}"#
    let sky = #"{"class":"SKY","device":"/dev/pts/1","nSat":8,"uSat":2,"satellites":[{"PRN":2,"used":true}]}"#
    let old = #"{"class":"SKY","device":"/dev/pts/1","satellites":[{"PRN":2,"used":true},{"PRN":3,"used":false},{"PRN":4,"used":false}]}"#
    let dilutions = #"{"class":"SKY","device":"/dev/pts/1","hdop":0.9}"#
    #expect(decode(none).reports == [.epoch(.searching(.init()), device: "/dev/pts/1")])
    let timed = #"{"class":"TPV","device":"/dev/pts/1","mode":0,"time":"2026-11-21T12:00:00.000Z"}"#
    let noon = Instant(rfc3339: "2026-11-21T12:00:00Z")
    #expect(noon != nil && decode(timed).reports == [.epoch(.searching(.init(), time: noon), device: "/dev/pts/1")])
    #expect(decode(sky, dilutions, none).reports == [.epoch(.searching(.init(used: 2, seen: 8)), device: "/dev/pts/1")])
    #expect(decode(old, none).reports == [.epoch(.searching(.init(used: 1, seen: 3)), device: "/dev/pts/1")])
  }

  @Test func `the version, the devices and errors are reported`() {
    #expect(
      decode(#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#).reports
        == [.version(GPSDVersion(major: 3, minor: 14, release: "3.22"))])
    #expect(
      decode(
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":"2026-11-21T04:21:19.268Z"},{"class":"DEVICE","path":"/dev/b"}]}"#
      ).reports == [.devices([GPSDDevice(path: "/dev/a", isActive: true), GPSDDevice(path: "/dev/b", isActive: false)])])
    #expect(decode(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#).reports == [.device(GPSDDevice(path: "/dev/a", isActive: false))])
    #expect(decode(#"{"class":"ERROR","message":"Unrecognized request"}"#).reports == [.error("Unrecognized request")])
  }

  @Test func `a heading is reported with its device, and an invalid heading is not`() {
    let heading = HeadingReading(trueHeading: 90.3)
    #expect(
      decode(#"{"class":"ATT","device":"/dev/a","heading":90.3,"mag_st":"N"}"#).reports == [heading.map { .heading($0, device: "/dev/a") }])
    #expect(decode(#"{"class":"ATT","device":"/dev/a","pitch":1.5}"#).reports.isEmpty)
    #expect(decode(#"{"class":"ATT","heading":-1}"#).counts.faults[.field] == 1)
  }

  @Test func `octets that are not text count as malformed JSON`() {
    var decoder = GPSDDecoder(isRecording: true)
    var reports: [GPSDReport] = []
    decoder.decode(
      Array(#"{"class":"TPV","device":""#.utf8) + [0xFF, 0xFE] + Array("\",\"mode\":3,\"lat\":1,\"lon\":2}\n".utf8), into: &reports)
    #expect(reports.isEmpty && decoder.counts.faults[.json] == 1)
  }

  @Test func `lines without a supported version before them are counted as such until the next connection`() {
    var decoder = GPSDDecoder()
    var reports: [GPSDReport] = []
    let other = #"{"class":"VERSION","proto_major":4,"proto_minor":0}"#
    for line in [tpv, "hello", other, tpv, "{"] { decoder.decode(Array((line + "\n").utf8), into: &reports) }
    #expect(reports == [.version(GPSDVersion(major: 4, minor: 0, release: nil))])
    #expect((decoder.counts.faults[.version], decoder.counts.lines) == (5, 5))
    decoder.forget()
    for line in [other.replacing("4", with: "3"), tpv] { decoder.decode(Array((line + "\n").utf8), into: &reports) }
    #expect(reports.count == 3 && decoder.counts.used == 2)
  }

  @Test(
    arguments: [
      "$GPGGA,120000.00,5015.1234,N,00830.5678,E,1,08,0.9,112.5,M,47.9,M,,*61",
      #"{"class":"RTCM3","type":1004,"satellites":[1,2,3]}"#, #"{"class":"WATCH","enable":true}"#, #"{"device":"x","class":"PPS"}"#,
    ])
  func `a line without position data is counted as unused`(line: String) {
    let (reports, counts) = decode(line)
    #expect(reports.isEmpty)
    #expect((counts.unused, counts.lines) == (1, 1))
  }

  @Test(
    arguments: [
      (String(tpv.dropLast(9)), .json), (tpv.replacing("50.252056667", with: "nan"), .json),
      (tpv.replacing("50.252056667", with: "NaN"), .json),
      (tpv.replacing("50.252056667", with: "1e999"), .json), ("{}", .field), (#"{"class":3}"#, .field),
      (#"{"class":"TPV","lat":1,"lon":2}"#, .field), (tpv.replacing("50.252056667", with: #""50.25""#), .field),
      (tpv.replacing("2026-11-21T12:00:00.000Z", with: "yesterday"), .field), (#"{"class":"VERSION"}"#, .field),
      (#"{"class":"VERSION","proto_major":1e300,"proto_minor":1}"#, .field), (#"{"class":"DEVICES"}"#, .field),
      (#"{"class":"DEVICES","devices":[{}]}"#, .field), (#"{"class":"DEVICE"}"#, .field), (gst.replacing("4.100", with: "-4.1"), .field),
      (#"{"class":"TPV","a":""# + String(repeating: "A", count: 1_000_000) + #""}"#, .length),
      (String(repeating: "{\"a\":", count: 1000), .json), ("SSH-2.0-OpenSSH_9.2p1", .json), ("[1,2]", .json),
    ] as [(String, GPSDFault)])
  func `a malformed line is counted and yields no report`(line: String, fault: GPSDFault) {
    let (reports, counts) = decode(line)
    #expect(reports.isEmpty)
    #expect((counts.faults[fault], counts.lines) == (1, 1))
  }

  @Test func `a stream of a hundred thousand devices does not grow the memory`() {
    var decoder = GPSDDecoder(isRecording: true)
    var reports: [GPSDReport] = []
    for number in 0..<100_000 {
      decoder.decode(Array("{\"class\":\"SKY\",\"device\":\"\(number)\",\"nSat\":1}\n".utf8), into: &reports)
    }
    #expect(decoder.counts.used == 100_000)
    #expect("\(decoder)".utf8.count < 65_536)
  }
}

@Suite struct GPSDFileTests {
  private func decode(_ octets: [UInt8], chunk: Int) -> ([GPSDReport], LineCounts<GPSDFault>) {
    var decoder = GPSDDecoder(isRecording: true)
    var reports: [GPSDReport] = []
    var rest = octets[...]
    while !rest.isEmpty {
      decoder.decode(rest.prefix(chunk), into: &reports)
      rest = rest.dropFirst(chunk)
    }
    return (reports, decoder.counts)
  }

  @Test(arguments: [1, 2, 7, 64, 4096])
  func `chunks of any size yield the same reports`(chunk: Int) throws {
    let octets = try Fixture.octets("walk.gpsd.txt")
    let whole = decode(octets, chunk: .max)
    let pieces = decode(octets, chunk: chunk)
    #expect(pieces.0 == whole.0)
    #expect(pieces.1 == whole.1)
  }

  @Test func `the walk has thirty seconds of readings at four metres accuracy`() throws {
    let (reports, counts) = decode(try Fixture.octets("walk.gpsd.txt"), chunk: .max)
    // The walk has 32 positions, a sky and a noise report and a sentence of its compass for each second, the version, and three device
    // reports.
    #expect((counts.used, counts.faults.total) == (32 + 30 + 30 + 30 + 1 + 1 + 3, 0))
    let headings = reports.compactMap { if case .heading(let heading, nil) = $0 { heading } else { nil } }
    #expect(headings.count == 30 && headings.allSatisfy { abs(($0.magneticHeading ?? 0) - 101.1) < 1e-9 && $0.variation == -7.1 })
    #expect(Set(reports.readings.map(\.time)).count == 30)
    #expect(reports.readings.dropFirst(3).allSatisfy { abs(($0.horizontalAccuracy ?? 0) - 4.0012) < 1e-4 })
    #expect(reports.contains(.version(GPSDVersion(major: 3, minor: 14, release: "3.22"))))
  }

  @Test func `an attitude report yields no position`() throws {
    let (reports, counts) = decode(try Fixture.octets("tnthtm.gpsd.txt"), chunk: .max)
    #expect(reports.readings.isEmpty)
    #expect(counts.faults.total == 0)
  }

  @Test(arguments: [1, UInt64.random(in: 2...(.max))])
  func `damaged streams never trap, and every line is counted once`(seed: UInt64) throws {
    print("gpsd fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let stream = try Fixture.octets("walk.gpsd.txt")
    for _ in 0..<200 {
      let start = Int.random(in: 0..<stream.count - 3000, using: &random)
      var octets = Array(stream[start..<start + 3000])
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        let place = Int.random(in: 0..<octets.count - 60, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: octets[place] = .random(in: 0...255, using: &random)
        case 1: octets[place] = Array("{}[]\",:-.e\\u\n".utf8).randomElement(using: &random) ?? 0
        case 2: octets.remove(at: place)
        default: octets.insert(contentsOf: octets[place..<place + 50], at: place)
        }
      }
      let whole = decode(octets, chunk: .max)
      let pieces = decode(octets, chunk: Int.random(in: 1...100, using: &random))
      #expect(whole.0 == pieces.0)
      #expect(whole.1 == pieces.1)
      let lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      #expect(whole.1.lines == lines.dropLast().count { !$0.isEmpty && $0 != [UInt8(ascii: "\r")] })
    }
  }
}
