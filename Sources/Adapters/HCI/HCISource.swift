import BeaconAdvertising
import EventLoop
import Glibc
import Instants

/// Hears beacons through the packets of one adapter, as the controller sends them: every report, with its RSSI, beside whoever else listens.
///
/// Hears nothing while nobody makes the controller scan: another program's discovery does, or `scan()`.
/// Needs CAP_NET_RAW, and CAP_NET_ADMIN for `scan()` on an adapter that is off. It stops when it is released, and a scan of its own with it.
public final class HCISource {
  public enum State: Hashable, Sendable {
    /// Another program may make the controller scan.
    case listening
    case startingScan
    case scanning
    /// What others make the controller scan is still heard.
    case scanFailed(HCIError)
    /// Nothing follows.
    case gone(HCIError)
  }

  /// So many full batches before others on the loop have their turn.
  private static let mostBatches = 4

  public private(set) var state = State.listening
  /// What was heard, in order, each with the time at which it was read: 20 ms late at most while the loop keeps up. No call is empty.
  public var onSightings: ([Sighting]) -> Void = { _ in }
  public var onStateChange: (State) -> Void = { _ in }
  /// After each reading that brought reports.
  public var onReports: (HeardReports) -> Void = { _ in }
  /// Every packet as it is, its packet type first; comes before what is heard in it. Nil while nobody wants it.
  public var onPacket: ((RawSpan, Instant) -> Void)?

  private let loop: Loop
  private let socket: HCISocket
  private let adapter: UInt16
  private let batch = PacketBatch()
  private var decoder = AdvertisingReportDecoder()
  private var sightings: [Sighting] = []
  private var reports = HeardReports()
  private var toldReports = 0
  private var pacing = ReadPacing()
  private var setup = PassiveScan()
  private var call: ManagementCall?
  private var io: IOSource?
  private var readTimer: Timer?
  private var answerTimer: Timer?

  /// `number` is what its sightings call the adapter.
  public convenience init(_ loop: Loop, adapter: HCIAdapter, number: UInt16 = 0) throws(HCIError) {
    try self.init(loop, .hearing(adapter.index), number: number)
  }

  /// Packets as an HCI socket gives them, one per message, from whatever is at the other end of a SOCK_SEQPACKET.
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

  /// `hci0`, or what the owner of the descriptor calls it.
  public var name: String { socket.name }
  public var counts: AdvertisementCounts {
    var counts = decoder.counts
    counts.lostPackets = socket.lostPackets
    return counts
  }

  /// Makes the controller scan, passively and without filtering duplicates; again, if it already does. Switches the adapter on before.
  ///
  /// bluetoothd must not be running: each would undo what the other set up. Who ends the scan makes this `.listening` again; who
  /// switches the adapter off does so without a word here, and `AdapterWatch` tells.
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

  /// Switches the adapter off, and begins to scan as `scan()` does: what helps a controller that hangs.
  public func cyclePower() {
    guard let index = socket.index else { return scan() }
    if case .gone = state { return }
    stopScan()
    change(to: .startingScan)
    do throws(HCIError) {
      // One that hangs may not even obey this, and what matters is what follows.
      call = try ManagementCall(loop, .setPowered(false), adapter: index) { [unowned self] _ in
        call = nil
        scan()
      }
    } catch {
      failScan(error)
    }
  }

  /// Ends a scan of its own and goes on listening.
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

  /// One batch: how many packets it had. One of no octets is the end.
  private func take() throws(HCIError) -> Int {
    let count: Int
    do throws(SystemCallError) {
      count = try batch.receive(from: socket.descriptor)
    } catch {
      // The kernel says EPIPE once when the adapter goes.
      throw [EPIPE, ENODEV].contains(error.code) ? .gone(name) : .systemCall(error)
    }
    let now = loop.now
    for index in 0..<count {
      let packet = batch[index]
      guard !packet.isEmpty else { throw .ended(name) }
      reports.note(packet)
      onPacket?(packet.bytes, now)
      decoder.decode(packet: packet.bytes, adapter: adapter, time: now, into: &sightings)
      if setup.isWaiting || setup.isScanning, let answer = CommandAnswer(packet: packet) { act(on: setup.receive(answer, at: now)) }
    }
    return count
  }

  private func deliver() {
    reports.count = decoder.counts.reports - toldReports
    toldReports = decoder.counts.reports
    if reports.count > 0 { onReports(reports) }
    reports.removeAll()
    guard !sightings.isEmpty else { return }
    onSightings(sightings)
    sightings.removeAll(keepingCapacity: true)
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

  private func end(_ reason: HCIError) {
    io?.cancel()
    readTimer?.disarm()
    answerTimer?.disarm()
    decoder.finish()
    change(to: .gone(reason))
  }
}

// MARK: - Scanning

extension HCISource {
  /// Ends what a bluetoothd that was killed has left behind, one kind after the other. The kernel believes that it discovers for ten seconds
  /// more, and a scan that is ended by anybody else in that time leaves it in this belief for good: whoever asks it to discover is told "busy".
  private func stopDiscoveries(_ kinds: ArraySlice<ManagementRequest.Discovery>) throws(HCIError) {
    guard let index = socket.index, let kind = kinds.first else { return begin() }
    // Mostly there is none, and without CAP_NET_ADMIN it may not: neither keeps it from scanning.
    call = try ManagementCall(loop, .stopDiscovery(kind), adapter: index) { [unowned self] _ in
      do throws(HCIError) {
        try stopDiscoveries(kinds.dropFirst())
      } catch {
        failScan(error)
      }
    }
  }

  private func begin(after result: Result<ManagementRequest.Answer, HCIError>) {
    switch result {
    case .success(.done): begin()
    case .success(.refused(.noAdapter)): failScan(.noAdapter(name))
    case .success(.refused(.blocked)): failScan(.blocked(name))
    case .success(.refused(.permissionDenied)): failScan(.missing(.netAdmin, place: name, purpose: "switching the adapter on"))
    // Linux 6.1 says no more than this where rfkill is why.
    case .success(.refused(.failed)): failScan(RFKill.isBlocked(name) ? .blocked(name) : .off(name))
    case .failure(let error): failScan(error)
    }
  }

  /// With an adapter that is on.
  private func begin() {
    call = nil
    act(on: setup.start(at: loop.now))
  }

  private func act(on action: PassiveScan.Action) {
    switch action {
    case .none: break
    case .send(let command):
      answerTimer?.arm(at: setup.deadline)
      do throws(HCIError) {
        try setFilter(.reportsAndAnswers)
        try socket.send(command)
      } catch {
        failScan(error)
      }
    case .started:
      settleScan(.scanning)
    case .ended:
      settleScan(.listening)
    case .failed(.refused(let command, let status)):
      failScan(.command(command.name, adapter: name, status: status))
    case .failed(.noAnswer(let command)):
      failScan(.noAnswer(command.name, adapter: name))
    }
  }

  private func failScan(_ reason: HCIError) {
    stopScan()
    if case .gone = reason { return end(reason) }
    settleScan(.scanFailed(reason))
  }

  private func settleScan(_ outcome: State) {
    answerTimer?.disarm()
    do throws(HCIError) {
      // Who scans wants to know when somebody ends the scan.
      try setFilter(setup.isScanning ? .reportsAndAnswers : .reports)
      change(to: outcome)
    } catch {
      end(error)
    }
  }

  private func setFilter(_ filter: HCISocket.Filter) throws(HCIError) {
    if socket.index != nil { try socket.setFilter(filter) }
  }

  private func stopScan() {
    call = nil
    answerTimer?.disarm()
    guard let command = setup.stop() else { return }
    do throws(HCIError) {
      try socket.send(command)
    } catch {
      // An adapter that is off or gone does not scan.
    }
  }

  private func change(to new: State) {
    guard new != state else { return }
    state = new
    onStateChange(new)
  }
}
