import Beacons
import FleetMessages
import Testing

struct FleetMessageTests {
  private let beacon = BeaconIdentity(uuid: BeaconUUID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10), major: 1, minor: 500)

  private func message(_ body: FleetMessage.Body) -> FleetMessage {
    FleetMessage(journal: StreamJournal(high: 7, low: .max), sequence: 1 << 40, floor: 12, time: 1_795_000_000_000, body: body)
  }

  private var bodies: [FleetMessage.Body] {
    let nearest = FleetSighting(beacon: beacon, level: -71, distance: 312, rate: 98, age: 40)
    let unknown = FleetSighting(beacon: beacon, level: 20, distance: nil, rate: 0, age: 65_535)
    let report = DeviceReport(
      version: "1.2.3", revision: 9, configuration: Array(0..<32), freeSpace: .max, droppedDigests: 4, isClockSynchronised: false,
      problems: ["hci0 is silent", "ü"], acknowledged: [1, 1 << 53],
      rollout: RolloutReport(revision: 9, state: .rolledBack, text: "line 3: unknown key"))
    return [
      .event(json: #"{"sequence":1,"event":"enter"}"#), .digest([nearest, unknown]), .digest([]), .report(report),
      .report(DeviceReport(version: "")),
    ] + shares.map { .share($0) }
  }

  private var shares: [ShareMessage] {
    let id = ShareID(high: 1, low: .max)
    let position = SharedPosition(
      latitude: -52.1234567, longitude: 179.9999999, accuracy: 3.25, floor: -2, level: "first", venue: "mall", place: "Café, first floor")
    let offer = ShareOffer(
      id: id, ends: 1_795_000_000_000, purpose: "für Ada", recipients: [.person("ada@example.org"), .role("owner"), .device("hall-2")])
    return [
      .offer(offer), .position(id, position), .position(id, SharedPosition(latitude: 0, longitude: 0)), .position(id, nil), .end(id),
      .answer(id, isAccepted: true), .answer(id, isAccepted: false), .refresh,
    ]
  }

  @Test(arguments: [
    "", "a b", "role:king", "role:", "device:A", "device:a.b", "tag:x", "-a", "ada\u{0}", String(repeating: "a", count: 65),
  ])
  func `a text that names no party of a share is refused`(text: String) { #expect(ShareParty(text) == nil) }

  @Test func `a purpose with a control character is refused, and one that is too long is cut`() throws {
    let offer = ShareOffer(id: ShareID(high: 1, low: 2), ends: 5, purpose: "a\u{7}", recipients: [.person("ada")])
    #expect(throws: FleetMessageError.self) { try FleetMessage(message(.share(.offer(offer))).octets) }
    var long = offer
    long.purpose = String(repeating: "ä", count: 150)
    guard case .share(.offer(let read)) = try FleetMessage(message(.share(.offer(long))).octets).body else {
      Issue.record("no offer")
      return
    }
    #expect(read.purpose.utf8.count == 200)
  }

  @Test func `a message has the octets that RFC 8949 requires`() {
    let sighting = FleetSighting(beacon: beacon, level: -71, distance: nil, rate: 24, age: 256)
    let message = FleetMessage(journal: StreamJournal(high: 0, low: 1), sequence: 2, floor: 1, time: 1000, body: .digest([sighting]))
    let journal = [0x50] + [UInt8](repeating: 0, count: 15) + [1]
    let identity = [0x50] + (1...16).map { UInt8($0) } + [0x01, 0x19, 0x01, 0xF4]
    #expect(
      message.octets == [0x87, 1, 1] + journal + [2, 1, 0x19, 0x03, 0xE8, 0x81, 0x87] + identity + [0x38, 70, 0xF6, 0x18, 24, 0x19, 1, 0])
  }

  @Test func `a decoded message equals the encoded one`() throws {
    for body in bodies {
      let message = message(body)
      #expect(try FleetMessage(message.octets) == message)
    }
  }

  @Test func `items that a later version adds are skipped`() throws {
    let message = message(.digest([]))
    // A map with a nested array, a tagged text and a floating-point number.
    let added: [UInt8] = [0xA1, 0x01, 0x82, 0x00, 0x41, 0xFF, 0xC1, 0x61, 0x61, 0xFB, 0, 0, 0, 0, 0, 0, 0, 0]
    let octets = [0x8A] + message.octets.dropFirst() + added
    #expect(try FleetMessage(octets) == message)
  }

  @Test func `every truncated message is refused`() {
    for body in bodies {
      let octets = message(body).octets
      for count in 0..<octets.count {
        #expect(throws: FleetMessageError.self) { try FleetMessage(Array(octets.prefix(count))) }
      }
    }
  }

  @Test func `a changed octet gives an error or a message within the limits`() {
    for body in bodies {
      let octets = message(body).octets
      for index in octets.indices {
        for value in UInt8.min...UInt8.max {
          var damaged = octets
          damaged[index] = value
          guard let decoded = try? FleetMessage(damaged) else { continue }
          // A decoded message survives its own encoding: no value is beyond a limit.
          #expect(try! FleetMessage(decoded.octets) == decoded)
        }
      }
    }
  }

  @Test func `lengths are compared with the octets that are left`() {
    // Arrays of 2^30, 2^32 - 1 and 2^63 items, deep nesting, an indefinite length, and strings without an end.
    let bombs: [[UInt8]] = [
      [0x9A, 0x40, 0, 0, 0], [0x9A, 0xFF, 0xFF, 0xFF, 0xFF], [0x9B, 0x80, 0, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 0x81, count: 32_768),
      [0x9F, 1, 0xFF], [0x87, 1, 0, 0x5F], [0x87, 1, 0, 0x7A, 0xFF, 0xFF, 0xFF, 0xFF],
    ]
    for octets in bombs {
      #expect(throws: FleetMessageError.self) { try FleetMessage(octets) }
    }
  }

  @Test func `the nesting of added items is limited`() {
    let head: [UInt8] = [0x88] + message(.digest([])).octets.dropFirst()
    #expect(throws: FleetMessageError.self) { try FleetMessage((head + [UInt8](repeating: 0x81, count: 30_000))) }
    // 30,000 items in one array are read, each with one octet.
    #expect(throws: Never.self) { try FleetMessage((head + [0x99, 0x75, 0x30] + [UInt8](repeating: 0, count: 30_000))) }
  }

  @Test func `errors name the offset`() {
    #expect(throws: FleetMessageError.tooLong(32_769)) { try FleetMessage([UInt8](repeating: 0, count: 32_769)) }
    #expect(throws: FleetMessageError.unknownVersion(2)) { try FleetMessage([0x87, 2, 0]) }
    #expect(throws: FleetMessageError.outOfRange(at: 2)) { try FleetMessage([0x87, 1, 4]) }
    let octets = message(.digest([])).octets
    #expect(throws: FleetMessageError.trailingOctets(at: octets.count)) { try FleetMessage((octets + [0])) }
  }

  @Test func `values beyond a limit are brought to it`() throws {
    let sighting = FleetSighting(beacon: beacon, level: -500, distance: 9_000_000, rate: 100_000, age: -1)
    let decoded = try FleetMessage(message(.digest(Array(repeating: sighting, count: 25))).octets)
    let limited = FleetSighting(beacon: beacon, level: -128, distance: 1_000_000, rate: 65_535, age: 0)
    #expect(decoded.body == .digest(Array(repeating: limited, count: 20)))
    let report = DeviceReport(
      version: String(repeating: "é", count: 40), revision: -1, configuration: [1], freeSpace: -1,
      problems: Array(repeating: "x", count: 20))
    let limitedReport = DeviceReport(version: String(repeating: "é", count: 32), freeSpace: 0, problems: Array(repeating: "x", count: 16))
    #expect(try FleetMessage(message(.report(report)).octets).body == .report(limitedReport))
  }

  @Test func `a report has texts that are safe to display, and a share has a purpose`() throws {
    let report = DeviceReport(version: "1\u{0}", problems: ["a\u{1B}[2J\nb\u{0}"])
    guard case .report(let read) = try FleetMessage(message(.report(report)).octets).body else {
      Issue.record("another body")
      return
    }
    #expect(read.version == "1 " && read.problems == ["a [2J b "])
    let offer = ShareOffer(id: .random(), ends: 0, purpose: "", recipients: [])
    #expect(throws: FleetMessageError.self) { try FleetMessage(message(.share(.offer(offer))).octets) }
  }
}
