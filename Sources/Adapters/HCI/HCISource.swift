import BeaconAdvertising
import EventLoop
import Glibc
import Instants

/// Receives beacons from the packets of one adapter: every report of the controller, with its RSSI.
/// Other programs can receive from the same adapter at the same time.
///
/// The source receives nothing unless a program makes the controller scan: the discovery of another program does, or `scan()`. It needs
/// CAP_NET_RAW, and CAP_NET_ADMIN for `scan()` on an adapter that is off. Releasing the source stops it, and ends its own scan.
public final class HCISource {
  public enum State: Hashable, Sendable {
    /// The source starts no scan; another program may make the controller scan.
    case listening
    case startingScan
    case scanning
    /// The source cannot scan, but still receives the reports of other programs' scans.
    case scanFailed(HCIError)
    /// The adapter is gone; the source delivers nothing more.
    case gone(HCIError)
  }

  /// Maximum full batches per wake-up, so that a flood cannot starve the loop.
  private static let mostBatches = 4

  public internal(set) var state = State.listening
  /// Receives the sightings in order, each with the time at which it was read; never with an empty list.
  /// A call comes at most 20 ms late while the loop keeps up.
  public var onSightings: ([Sighting]) -> Void = { _ in }
  public var onStateChange: (State) -> Void = { _ in }
  /// Runs after each read that brought reports.
  public var onReports: (HeardReports) -> Void = { _ in }
  /// Receives every unchanged packet, packet type first, before the sightings in it; nil if no recording needs packets.
  public var onPacket: ((RawSpan, Instant) -> Void)?

  let loop: Loop
  let socket: HCISocket
  private let adapter: UInt16
  private let batch = PacketBatch()
  private var intake = PacketIntake()
  private var pacing = ReadPacing()
  var setup = PassiveScan()
  var call: ManagementCall?
  private var io: IOSource?
  private var readTimer: Timer?
  var answerTimer: Timer?

  /// Opens the adapter; its sightings carry `number` as their adapter.
  public convenience init(_ loop: Loop, adapter: HCIAdapter, number: UInt16 = 0) throws(HCIError) {
    try self.init(loop, .hearing(adapter.index), number: number)
  }

  /// Takes packets as an HCI socket delivers them, one a message, from the peer of a SOCK_SEQPACKET socket.
  public convenience init(_ loop: Loop, packets: consuming FileDescriptor, name: String, number: UInt16 = 0) throws(HCIError) {
    try self.init(loop, .taking(packets, name: name), number: number)
  }

  private init(_ loop: Loop, _ socket: consuming HCISocket, number: UInt16) throws(HCIError) {
    self.loop = loop
    self.socket = socket
    adapter = number
    readTimer = loop.timer { [unowned self] in read() }
    answerTimer = loop.timer { [unowned self] in act(on: setup.advance(to: loop.now)) }
    do throws(SystemCallError) {
      io = try loop.io(self.socket.descriptor, .readable) { [unowned self] _ in read() }
    } catch {
      throw .systemCall(error)
    }
  }

  deinit {
    stopScan()
    io?.cancel()
  }

  /// The name of the adapter, such as `hci0`, or the name that the descriptor's owner passed.
  public var name: String { socket.name }
  public var counts: AdvertisementCounts {
    var counts = intake.decoder.counts
    counts.lostPackets = socket.lostPackets
    return counts
  }

  /// Returns the telemetry of beacons since the last call.
  public func takeTelemetry() -> [BeaconTelemetry] { intake.decoder.takeTelemetry() }

  /// Starts a passive scan without filtering duplicates, or restarts it; switches the adapter on first.
  ///
  /// bluetoothd must not be running: each program would undo the other's settings. If another program ends the scan, the state becomes
  /// `.listening` again. If another program switches the adapter off, the source gets no notice, but `AdapterWatch` does.
  public func scan() {
    if case .gone = state { return }
    change(to: .startingScan)
    do throws(HCIError) {
      if let index = socket.index, try !socket.isOn(index) {
        call = try ManagementCall(loop, .setPowered(true), adapter: index) { [unowned self] in begin(after: $0) }
      } else {
        try stopDiscoveries(ManagementRequest.Discovery.allCases[...])
      }
    } catch {
      failScan(error)
    }
  }

  /// Switches the adapter off and starts a scan as `scan()` does, which recovers a controller that hangs.
  public func cyclePower() {
    guard let index = socket.index else { return scan() }
    if case .gone = state { return }
    stopScan()
    change(to: .startingScan)
    do throws(HCIError) {
      // A controller that hangs may not obey even this; the scan below is attempted in any case.
      call = try ManagementCall(loop, .setPowered(false), adapter: index) { [unowned self] _ in
        call = nil
        scan()
      }
    } catch {
      failScan(error)
    }
  }

  /// Ends the source's own scan, and continues to receive other programs' scans.
  public func stop() {
    if case .gone = state { return }
    stopScan()
    settleScan(.listening)
  }
}

// MARK: - Reading

extension HCISource {
  private func read() {
    var packets = 0
    var isCut = true
    do throws(HCIError) {
      while isCut, packets < Self.mostBatches * PacketBatch.capacity {
        let count = try take()
        packets += count
        isCut = count == PacketBatch.capacity
      }
    } catch {
      deliver()
      return end(error)
    }
    deliver()
    if case .gone = state { return }
    follow(pacing.next(afterReading: packets, isCut: isCut, at: loop.now))
  }

  /// Reads one batch and returns its number of packets; a single empty packet means the end of the stream.
  private func take() throws(HCIError) -> Int {
    let received: Int
    do throws(SystemCallError) {
      received = try batch.receive(from: socket.descriptor)
    } catch {
      // The kernel reports EPIPE once when the adapter goes.
      throw [EPIPE, ENODEV].contains(error.code) ? .gone(name) : .systemCall(error)
    }
    let now = loop.now
    let count = (0..<received).first { batch[$0].isEmpty } ?? received
    if let onPacket {
      for index in 0..<count { onPacket(batch[index].bytes, now) }
    }
    intake.take(batch, count, adapter: adapter, at: now)
    for index in 0..<count {
      guard let answer = CommandAnswer(packet: batch[index]), setup.isWaiting || setup.isScanning else { continue }
      act(on: setup.receive(answer, at: now))
    }
    guard count == received else { throw .ended(name) }
    return count
  }

  private func deliver() {
    intake.countReports()
    if intake.reports.count > 0 { onReports(intake.reports) }
    if !intake.sightings.isEmpty { onSightings(intake.sightings) }
    intake.removeAll()
  }

  private func follow(_ next: ReadPacing.Next) {
    do throws(SystemCallError) {
      switch next {
      case .whenReadable: try io?.setInterest(.readable)
      case .at(let time):
        try io?.setInterest([])
        readTimer?.arm(at: time)
      }
    } catch {
      end(.systemCall(error))
    }
  }

  func end(_ reason: HCIError) {
    io?.cancel()
    readTimer?.disarm()
    answerTimer?.disarm()
    intake.decoder.finish()
    change(to: .gone(reason))
  }
}
