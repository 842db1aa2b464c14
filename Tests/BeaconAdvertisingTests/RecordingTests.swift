import Beacons
import Instants
import Records
import Testing

@testable import BeaconAdvertising

/// The contents of a recording, and its end. Octets are compared with those of the specification, written down by hand.
@Suite struct RecordingTests {
  static let beacon = Octets.h4(Octets.legacyEvent(Octets.legacyReport(Octets.flags + Octets.iBeacon())))
  static let phone = Octets.h4(Octets.legacyEvent(Octets.legacyReport([0x05, 0xFF, 0x4C, 0x00, 0x10, 0x00])))
  static let everything = RecordingOptions(keepsEverything: true)

  @Test func `header, first note, adapter and packet match btmon's format octet by octet`() {
    var packets = RecordedPackets(Self.everything)
    packets.hear(Self.beacon, adapter: 3, at: 1_000_000)
    let capture = packets.drain()
    #expect(capture.starts(with: Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x07, 0xD1]))
    let (first, second) = (Array("beaconmon records test\0".utf8), Array("it contains every advertisement with its real address\0".utf8))
    let newIndex: [UInt8] = [0, 0, 0x03, 0, 0, 0xAC, 0xEC, 0xB0] + Array("hci3".utf8) + [0, 0, 0, 0]
    let time = RecordedPackets.epoch.microseconds
    #expect(
      Array(capture.dropFirst(16)) == Octets.record(first, flags: 0xFFFF_000C, time: time)
        + Octets.record(second, flags: 0xFFFF_000C, time: time)
        + Octets.record(newIndex, flags: 0x0003_0000, time: time + 1_000_000)
        + Octets.record(Array(Self.beacon.dropFirst()), flags: 0x0003_0003, time: time + 1_000_000))
  }

  @Test func `a recording contains only beacons and no real addresses by default`() {
    var packets = RecordedPackets()
    for packet in [Self.phone, Self.beacon, Self.phone] { packets.hear(packet) }
    let events = Records(packets.end()).events
    #expect(events.count == 1)
    var expected = Array(Self.beacon.dropFirst())
    #expect(events[0][0..<6] == expected[0..<6])
    #expect(events[0][6..<12] != expected[6..<12])
    #expect(events[0][11] & 0xC0 == 0xC0)
    expected.replaceSubrange(6..<12, with: events[0][6..<12])
    #expect(events[0] == expected)
  }

  @Test func `an event with several reports is recorded as one event for each report with an iBeacon`() {
    var packets = RecordedPackets()
    let reports = [1, 2].map { Octets.legacyReport(Octets.iBeacon(minor: $0)) }
    packets.hear(Octets.h4(Octets.legacyEvent(reports[0], Octets.legacyReport([0x02, 0x0A, 0x04]), reports[1])))
    #expect(decode(capture: packets.end()).minors == [1, 2])
  }

  @Test func `a sender has one pseudonym on every adapter and in every kind of report`() {
    var packets = RecordedPackets()
    packets.hear(Octets.h4(Octets.legacyEvent(Octets.legacyReport(Octets.iBeacon()))), adapter: 0)
    packets.hear(Octets.h4(Octets.extendedEvent(Octets.extendedReport(Octets.iBeacon()))), adapter: 1)
    let events = Records(packets.end()).events
    #expect(Array(events[0][6..<12]) == Array(events[1][7..<13]))
  }

  @Test func `a decoder keeps the sender of each sighting, which a recording replaces by a pseudonym`() throws {
    func senders(_ capture: [UInt8]) throws -> [BluetoothAddress] {
      var decoder = CaptureDecoder()
      decoder.keepsSenders = true
      var sightings: [Sighting] = []
      try decoder.decode(capture.span.bytes, into: &sightings)
      let senders = decoder.takeSenders()
      #expect(senders.count == sightings.count && decoder.takeSenders().isEmpty)
      return senders
    }
    var (real, hidden) = (RecordedPackets(Self.everything), RecordedPackets())
    for minor in [1, 2] as [UInt8] {
      let packets = [
        Octets.h4(Octets.legacyEvent(Octets.legacyReport(Octets.iBeacon(minor: minor)))),
        Octets.h4(Octets.extendedEvent(Octets.extendedReport(Octets.iBeacon(minor: minor)))),
      ]
      for packet in packets {
        real.hear(packet)
        hidden.hear(packet)
      }
    }
    let address = BluetoothAddress(reversed: Self.beacon[7..<13])
    #expect(try senders(real.end()) == Array(repeating: address, count: 4))
    let pseudonyms = try senders(hidden.end())
    #expect(pseudonyms.count == 4 && Set(pseudonyms).count == 1 && pseudonyms[0] != address)
  }

  @Test func `the target address of a directed report gets a pseudonym, too`() {
    var report = Octets.extendedReport(Octets.iBeacon())
    report.replaceSubrange(16..<23, with: [0x00, 1, 2, 3, 4, 5, 6])
    var packets = RecordedPackets()
    packets.hear(Octets.h4(Octets.extendedEvent(report)))
    let kept = Records(packets.end()).events[0].dropFirst(4)
    #expect(Array(kept.dropFirst(16).prefix(7)) != [0x00, 1, 2, 3, 4, 5, 6])
  }

  @Test func `a recording of everything contains all events and no other packets`() {
    var packets = RecordedPackets(Self.everything)
    let complete: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x0B, 0x20, 0x00]
    for packet in [complete, [0x02, 0x01, 0x00, 0x00, 0x00], [0x04], []] { packets.hear(packet) }
    #expect(Records(packets.end()).events == [Array(complete.dropFirst())])
  }

  @Test func `a sighting without a packet is recorded as a report`() throws {
    var packets = RecordedPackets(Self.everything)
    let address = try #require(BluetoothAddress("00:1A:7D:DA:71:13"))
    packets.hear(AdvertisingReport(address: address, isRandom: false, rssi: -70, data: Octets.iBeacon()))
    packets.hear(AdvertisingReport(address: address, isRandom: true, rssi: nil, data: [0x02, 0x0A, 0x04]))
    let sender: [UInt8] = [0x13, 0x71, 0xDA, 0x7D, 0x1A, 0x00]
    #expect(
      Records(packets.end()).events == [
        [0x3E, 0x27, 0x02, 0x01, 0x03, 0x00] + sender + [0x1B] + Octets.iBeacon() + [0xBA],
        [0x3E, 0x0F, 0x02, 0x01, 0x03, 0x01] + sender + [0x03, 0x02, 0x0A, 0x04, 0x7F],
      ])
  }

  @Test(arguments: [32, 229, 230, 500, 1650])
  func `long data is recorded as an extended report, in fragments if one event is too short`(length: Int) throws {
    let filler = Array(repeating: UInt8(0), count: length - 27)
    let address = try #require(BluetoothAddress("C0:00:00:00:00:01"))
    var packets = RecordedPackets()
    packets.hear(AdvertisingReport(address: address, isRandom: true, rssi: -70, data: Octets.iBeacon() + filler))
    let capture = packets.end()
    #expect(Records(capture).events.allSatisfy { $0[2] == 0x0D && Int($0[1]) == $0.count - 2 })
    let decoded = decode(capture: capture)
    #expect(decoded.sightings.map(\.rssi) == [-70])
    #expect(decoded.counts.kinds[.iBeacon] == 1)
    #expect(decoded.counts.joinedFragments == (length - 1) / 229)
  }

  @Test func `a replay names the adapters by their addresses`() throws {
    var packets = RecordedPackets()
    packets.hear(Self.beacon, adapter: 0)
    packets.hear(Self.beacon, adapter: 2)
    var (decoder, sightings) = (CaptureDecoder(), [Sighting]())
    try decoder.decode(packets.end().span.bytes, into: &sightings)
    #expect(sightings.map { decoder.roster.name(of: $0.adapter) } == ["B0:EC:AC:00:00:00", "B0:EC:AC:00:00:02"])
  }

  @Test func `a state of the device is a note in its order and at its time, and a decoder returns each note once`() throws {
    var packets = RecordedPackets()
    packets.hear(Self.beacon, at: 1_000_000)
    packets.recording.note(state: "still", at: Instant(microseconds: 2_000_000))
    packets.hear(Self.beacon, at: 3_000_000)
    let capture = packets.end(at: 4_000_000)
    let records = Records(capture).all.suffix(4).map { $0.note ?? "packet" }
    #expect(records == ["packet", "still", "packet", "beaconmon ends the recording: stopped"])
    var (decoder, sightings) = (CaptureDecoder(), [Sighting]())
    decoder.keepsNotes = true
    try decoder.decode(capture.span.bytes, into: &sightings)
    let notes = decoder.takeNotes()
    #expect(notes.count == 4 && notes[2].text == "still" && notes[2].time == Instant(microseconds: 2_000_000) + RecordedPackets.epoch)
    #expect(decoder.takeNotes().isEmpty)
    packets.recording.note(state: "moving", at: Instant(microseconds: 5_000_000))
    #expect(packets.drain().isEmpty, "the recording has ended")
  }

  @Test func `a slow reader gets the latest state before the next packet, and states never exceed the limits`() {
    var packets = RecordedPackets()
    for second in 0..<20_000 { packets.recording.note(state: "state \(second)", at: Instant(microseconds: Int64(second))) }
    let first = packets.drain()
    #expect(first.count <= Recording.capacity)
    packets.hear(Self.beacon, at: 20_000)
    packets.hear(Self.beacon, at: 20_001)
    let notes = Records(first + packets.end(at: 20_002)).notes
    #expect(notes.filter { $0 == "state 19999" }.count == 1 && notes.count < 20_000)

    var small = RecordedPackets(RecordingOptions(limitSize: DataSize(octets: 2000)))
    for second in 0..<100 { small.recording.note(state: "state \(second)", at: Instant(microseconds: Int64(second))) }
    let octets = small.drain()
    #expect(octets.count <= 2000 && small.recording.hasEnded)
    #expect(Records(octets).notes.last == "beaconmon ends the recording: limit of 2kB reached")
  }

  @Test func `the capture lasts as long as the recording, even during silence`() throws {
    var packets = RecordedPackets()
    packets.hear(Self.beacon, at: 2_000_000)
    var (decoder, sightings) = (CaptureDecoder(), [Sighting]())
    try decoder.decode(packets.end(at: 60_000_000).span.bytes, into: &sightings)
    let start = Instant(microseconds: RecordedPackets.epoch.microseconds)
    #expect(decoder.period == start...start + .seconds(60))
  }

  @Test func `unread packets are dropped whole, counted and reported, and memory stays bounded`() {
    var packets = RecordedPackets()
    for second in 0..<10_000 { packets.hear(Self.beacon, at: Int64(second) * 1000) }
    #expect(packets.recording.drops > 5000)
    let before = packets.drain()
    #expect(before.count <= Recording.capacity)
    #expect(Records(before).isWhole)
    packets.hear(Self.beacon, at: 20_000_000)
    let after = packets.end(at: 30_000_000)
    let records = Records(before + after)
    #expect(records.isWhole)
    #expect(records.events.count == 10_001 - Int(packets.recording.drops))
    #expect(records.notes.contains("beaconmon has dropped \(packets.recording.drops) packets that were not read"))
    #expect(records.all.last?.drops == packets.recording.drops)
    #expect(decode(capture: before + after).counts.lostPackets == Int(packets.recording.drops))
  }

  @Test(arguments: [1000, 5000, 77_777])
  func `a recording never exceeds its size limit, and its last record is whole and states the reason`(limit: UInt64) {
    var packets = RecordedPackets(RecordingOptions(limitSize: DataSize(octets: limit)))
    var capture: [UInt8] = []
    for second in 0..<2000 {
      packets.hear(Self.beacon, at: Int64(second) * 1000)
      capture += packets.drain()
    }
    #expect(packets.recording.hasEnded && packets.recording.drops == 0)
    #expect(capture.count <= limit && UInt64(capture.count) + 800 > limit)
    let records = Records(capture)
    #expect(records.isWhole && !records.events.isEmpty)
    #expect(records.notes.last == "beaconmon ends the recording: limit of \(DataSize(octets: limit).text) reached")
  }

  @Test func `a recording accepts no packets after its end`() {
    var packets = RecordedPackets()
    let capture = packets.end()
    packets.hear(Self.beacon)
    #expect(packets.end().isEmpty)
    #expect(Records(capture).notes.count == 3)
  }

  @Test func `a recording that is read in pieces has the same octets`() {
    var (whole, pieces) = (RecordedPackets(), RecordedPackets())
    var octets: [UInt8] = []
    for second in 0..<20_000 {
      pieces.hear(Self.beacon, at: Int64(second) * 1000)
      _ = pieces.recording.drain { waiting in
        let count = min(waiting.count, 97)
        octets += waiting[..<count]
        return count
      }
    }
    for second in 0..<3000 { whole.hear(Self.beacon, at: Int64(second) * 1000) }
    let expected = whole.drain()
    #expect(octets.prefix(expected.count).elementsEqual(expected))
  }

  @Test(arguments: [("10MB", 10_000_000), ("1B", 1), ("2kB", 2000), ("3GB", 3_000_000_000)] as [(String, UInt64)])
  func `a data size is read and written with its unit`(text: String, octets: UInt64) {
    #expect(DataSize(text: text)?.octets == octets)
    #expect(DataSize(octets: octets).text == text)
  }

  @Test(arguments: ["", "10", "MB", "0MB", "-1MB", "1.5MB", "10 MB", "10mb", "99999999999GB", "１MB"])
  func `malformed text is not a data size`(text: String) {
    #expect(DataSize(text: text) == nil)
  }
}
