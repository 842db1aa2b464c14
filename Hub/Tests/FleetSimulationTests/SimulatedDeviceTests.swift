import Beacons
import DeliveryScheduling
import FleetMessages
import Instants
import Testing

@testable import FleetSimulation

@Suite struct SimulatedDeviceTests {
  private static let start = Instant(microseconds: 0)
  private static let wallTime: Int64 = 1_795_000_000_000

  private func device(backlog: Span = .zero, period: Span = .seconds(1)) throws -> SimulatedDevice {
    SimulatedDevice(
      try #require(FleetAddress(site: "s1", device: "d7")), index: 7, journal: StreamJournal(high: 1, low: 2), period: period,
      start: Self.start, backlog: backlog)
  }

  private func due(_ device: inout SimulatedDevice, seconds: Double) -> [FleetMessage] {
    device.makeDue(at: Self.start + .seconds(seconds), wallTime: Self.wallTime + Int64(seconds * 1000))
  }

  @Test("a device makes a digest a period, an event with every fifth, and numbers each stream from 1 on")
  func streams() throws {
    var device = try device()
    var made: [FleetMessage] = []
    for second in 0..<10 { made += due(&device, seconds: Double(second) + 0.5) }
    #expect(made.filter { $0.stream == .digests }.map(\.sequence) == Array(1...10))
    #expect(made.filter { $0.stream == .events }.map(\.sequence) == [1, 2])
    #expect(made.map(\.stream).firstIndex(of: .events) == 5 && device.counts.sent == 12)
    #expect(made.allSatisfy { $0.floor == 1 }, "nothing is acknowledged")
  }

  @Test("a digest has the time at which it was due, and messages that the caller fetches late come at once")
  func times() throws {
    var device = try device()
    let made = due(&device, seconds: 3.25)
    #expect(made.map { $0.time - Self.wallTime } == [0, 1000, 2000, 3000])
    #expect(due(&device, seconds: 3.75).isEmpty)
  }

  @Test("a digest has 20 beacons of the device's part of 200, with levels of a receiver")
  func digest() {
    for index in [0, 7, 199] {
      for number: Int64 in [0, 1, 1000] {
        let sightings = SimulatedDevice.digest(number, of: index)
        #expect(Set(sightings.map(\.beacon)).count == 20 && sightings.allSatisfy { (-94 ... -50).contains($0.level) })
        #expect(sightings.allSatisfy { (Int($0.beacon.minor) - index * 15 % 200 + 200) % 200 < 30 })
      }
    }
    #expect(SimulatedDevice.digest(1, of: 7) != SimulatedDevice.digest(2, of: 7))
  }

  @Test("an acknowledged message is forgotten, and the floor of the next one is the oldest that waits")
  func acknowledgement() throws {
    var device = try device()
    _ = due(&device, seconds: 2)
    let (first, again, other) = (device.acknowledge(.digests, 1), device.acknowledge(.digests, 1), device.acknowledge(.events, 2))
    #expect(first?.sequence == 1 && again == nil && other == nil && device.waiting.map(\.sequence) == [2, 3])
    #expect(due(&device, seconds: 3).map(\.floor) == [2])
  }

  @Test("after a connection all messages that wait come again with their numbers, and a report")
  func connection() throws {
    var device = try device()
    _ = due(&device, seconds: 2)
    _ = device.acknowledge(.digests, 1)
    let made = device.makeConnected(wallTime: Self.wallTime + 2345)
    #expect(made.map(\.stream) == [.digests, .digests, .reports] && made.map(\.sequence) == [2, 3, 1])
    #expect(made.map(\.floor) == [2, 2, 1] && made[2].time == Self.wallTime + 2000)
    #expect(device.counts.repeated == 2 && device.waiting.count == 3)
  }

  @Test("beyond the most messages that wait, the oldest one other than an event is dropped")
  func drops() throws {
    var device = try device(period: .milliseconds(1))
    _ = due(&device, seconds: 17)
    #expect(device.waiting.count == SimulatedDevice.mostWaiting && device.counts.dropped == 17_001 + 3400 - 20_000)
    #expect(device.waiting.count { $0.stream == .events } == 3400)
    let repeated = device.makeConnected(wallTime: 0)
    #expect(repeated.first { $0.stream == .digests }?.sequence == 402)
  }

  @Test("a backlog is sent before new digests, at the rate and in the window of a device")
  func backlog() throws {
    var device = try device(backlog: .seconds(100))
    var sent = 0
    var first: FleetMessage?
    for step in 0..<100 {
      let made = due(&device, seconds: Double(step) / 10)
      first = first ?? made.first
      #expect(device.waiting.count <= SendingAllowance.window + 1, "an event may follow the last digest")
      for message in made where device.acknowledge(message.stream, message.sequence) != nil {
        if message.stream == .digests { sent += 1 }
      }
    }
    #expect(first?.time == Self.wallTime - 100_000)
    // A backlog of 100 digests is sent after 4 s; a digest a second follows.
    #expect((109...110).contains(sent), "\(sent)")
  }

  @Test("the rate of a backlog does not limit new digests")
  func newDigests() throws {
    var device = try device(backlog: .seconds(5), period: .milliseconds(50))
    var sent = 0
    for step in 0..<100 {
      for message in due(&device, seconds: Double(step) / 10) {
        if message.stream == .digests { sent += 1 }
        _ = device.acknowledge(message.stream, message.sequence)
      }
    }
    // 100 of the backlog, and 20 a second.
    #expect((290...300).contains(sent), "\(sent)")
  }

  @Test("a backlog waits while no message is acknowledged")
  func window() throws {
    var device = try device(backlog: .seconds(100))
    for second in 0..<20 { _ = due(&device, seconds: Double(second)) }
    #expect(device.waiting.count { $0.stream == .digests } <= SendingAllowance.window)
  }
}
