import Beacons
import DeliveryScheduling
import FleetMessages
import Instants
import ProgramVersion

/// A device of a simulated fleet: its numberings, and the messages that are not acknowledged.
///
/// It publishes a digest a period, an event with every fifth one, and a report after each connection. The caller has its connection, and
/// publishes the messages that a call returns while the broker is reachable.
public struct SimulatedDevice: Sendable {
  public struct Counts: Hashable, Sendable {
    public var sent = 0
    public var repeated = 0
    public var dropped = 0

    public init() {}
  }

  private static let uuid = BeaconUUID(high: 0xF782_6DA6_4FA2_4E98, low: 0x8024_BC5B_71E0_893E)
  /// The largest number of messages that wait. Older digests are dropped beyond it.
  static let mostWaiting = 20_000

  public let address: FleetAddress
  private let index: Int
  private let journal: StreamJournal
  private let period: Span
  /// The allowance of a device with a backlog, and the time of its next new digest.
  private var backlog: (allowance: SendingAllowance, nextNew: Instant)?
  private var nextDigest: Instant
  private var numbers: [FleetMessage.Stream: Int64] = [:]
  /// The messages that are not acknowledged, the oldest first.
  public private(set) var waiting: [FleetMessage] = []
  public private(set) var counts = Counts()

  /// - Parameters:
  ///   - journal: the random identity of its numberings
  ///   - start: the time of its first new digest
  ///   - backlog: the time before it of which the device sends the digests first
  public init(_ address: FleetAddress, index: Int, journal: StreamJournal, period: Span, start: Instant, backlog: Span) {
    (self.address, self.index, self.journal, self.period) = (address, index, journal, period)
    nextDigest = start - backlog
    if backlog > .zero { self.backlog = (SendingAllowance(at: start), start) }
  }

  /// Makes the messages that are due, and returns them.
  ///
  /// - Parameter wallTime: the time of `now` in milliseconds since 1970
  public mutating func makeDue(at now: Instant, wallTime: Int64) -> [FleetMessage] {
    var made: [FleetMessage] = []
    while nextDigest <= now, mayMakeDigest(now) {
      let time = wallTime - (now - nextDigest).microseconds / 1000
      nextDigest += period
      let number = numbers[.digests, default: 0]
      made.append(make(.digest(Self.digest(number, of: index)), time: time))
      if number % 5 == 4 { made.append(make(.event(json: #"{"event":"enter","region":"r\#(index)","sequence":\#(number)}"#), time: time)) }
    }
    return made
  }

  /// Returns all messages that wait and a report, for a new connection.
  public mutating func makeConnected(wallTime: Int64) -> [FleetMessage] {
    counts.repeated += waiting.count
    let repeated = waiting.map(withFloor)
    let report = DeviceReport(version: ProgramVersion.current, freeSpace: 1 << 30, isClockSynchronised: true)
    return repeated + [make(.report(report), time: wallTime / 1000 * 1000)]
  }

  /// Forgets a message that the broker has acknowledged. Returns it; nil if it does not wait.
  public mutating func acknowledge(_ stream: FleetMessage.Stream, _ sequence: Int64) -> FleetMessage? {
    waiting.firstIndex { $0.stream == stream && $0.sequence == sequence }.map { waiting.remove(at: $0) }
  }

  /// Whether the backlog permits another digest, as that of a device does.
  private mutating func mayMakeDigest(_ now: Instant) -> Bool {
    guard var backlog else { return true }
    while backlog.nextNew <= now {
      backlog.allowance.add(1, at: now)
      backlog.nextNew += period
    }
    let permits = waiting.count < SendingAllowance.window && backlog.allowance.take(at: now) == nil
    self.backlog = backlog
    return permits
  }

  /// Returns the digest with a number: 20 of 200 beacons, which differ from those of other devices and change slowly.
  static func digest(_ number: Int64, of index: Int) -> [FleetSighting] {
    let start = index * 15 % 200
    return (0..<FleetMessage.maximumSightings).map { place in
      let beacon = (start + (Int(number) * 7 + place) % 30) % 200
      let noise = (Int(number) * 31 + place * 17) % 5
      return FleetSighting(
        beacon: BeaconIdentity(uuid: Self.uuid, major: 1, minor: UInt16(beacon)), level: -50 - (index * 7 + beacon * 13) % 40 - noise,
        distance: 100 + beacon, rate: 100, age: place * 10)
    }
  }

  private mutating func make(_ body: FleetMessage.Body, time: Int64) -> FleetMessage {
    var message = FleetMessage(journal: journal, sequence: 0, floor: 0, time: time, body: body)
    message.sequence = numbers[message.stream, default: 0] + 1
    numbers[message.stream] = message.sequence
    if waiting.count >= Self.mostWaiting, let oldest = waiting.firstIndex(where: { $0.stream != .events }) {
      waiting.remove(at: oldest)
      counts.dropped += 1
    }
    waiting.append(message)
    counts.sent += 1
    return withFloor(message)
  }

  private func withFloor(_ message: FleetMessage) -> FleetMessage {
    var message = message
    message.floor = waiting.first { $0.stream == message.stream }?.sequence ?? message.sequence
    return message
  }
}
