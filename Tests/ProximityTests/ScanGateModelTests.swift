import BeaconAdvertising
import Beacons
import Events
import Instants
import Proximity
import Ranging
import Regions
import TestSupport
import Testing

/// Random gates, pauses, plugs and demands, compared with a second-by-second account of the hearing adapters.
@Suite struct ScanGateModelTests {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `an exit clock runs while every adapter hears for a listener, and never while none can hear the region`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for number in 0..<60 {
      var again = generator
      var run = try ScanGateRun(&generator)
      try run.play(&generator)
      guard let fault = run.fault else { continue }
      var written = try ScanGateRun(&again, isWritten: true)
      try written.play(&again)
      Issue.record("seed \(seed), history \(number): \(fault)\n\(written.script.joined(separator: "\n"))")
      return
    }
  }
}

/// One history of an engine with a circle that gates the scan, two beacon regions, and three adapters.
private struct ScanGateRun {
  /// The expected state of a region.
  private struct Account {
    let exitDelay: Int
    /// The adapters that heard the region, and the time of the last sighting of each.
    var heardBy: [Int: Int] = [:]
    var lastHeard = 0
    /// Whether the region counts as visited: its last certain state is inside.
    var isVisited = false
    /// The hearing adapters of each second with a demand, one bit each.
    var listened: [UInt8] = []
    /// The consecutive seconds with a demand in which every adapter was hearing and none heard the region.
    var silence = 0
  }

  private static let names = ["first", "second"]

  private(set) var fault: String?
  /// The events of the history as text, for a failure's message.
  private(set) var script: [String] = []
  private let isWritten: Bool
  private var driver: EngineDriver
  private var accounts: [Account]
  private var receptions: [Reception] = [.hearing, .hearing, .hearing]
  private var now = 0
  private var rangers = 0
  private var isScanning = false
  /// The gate by its rules: the time since which the device is away, and the time until which the last fix counts.
  private var awaySince: Int?
  private var fixEnd = Int.max

  init(_ generator: inout SeededGenerator, isWritten: Bool = false) throws {
    self.isWritten = isWritten
    var engine = ProximityEngine(at: .seconds(0))
    engine.add(try Walk.region("mall", gate: CircularRegion.Gate()), at: .seconds(0))
    accounts = [5, 30, 60, 300].shuffled(using: &generator).prefix(2).map { Account(exitDelay: $0) }
    for (index, account) in accounts.enumerated() {
      engine.add(
        .beacon(Venue.region(Self.names[index], major: 1, minor: UInt16(index + 1), exitDelay: Double(account.exitDelay))), at: .seconds(0))
    }
    engine.setReception(.each(receptions), at: .seconds(0))
    driver = EngineDriver(engine: engine)
  }

  mutating func play(_ generator: inout SeededGenerator) throws {
    for _ in 0..<Int.random(in: 10...60, using: &generator) where fault == nil { try step(&generator) }
    // Once every adapter hears, silence causes an exit, whatever happened before.
    for adapter in receptions.indices { receptions[adapter] = .hearing }
    tellReception()
    try locate(east: 0)
    for _ in 0..<2 {
      pass(280)
      try locate(east: 0)
    }
    for name in Self.names where driver.engine.watch(name)?.state != .outside { fault = fault ?? "\(name) is never left" }
  }

  private mutating func step(_ generator: inout SeededGenerator) throws {
    switch Int.random(in: 0..<16, using: &generator) {
    case 0...4:
      let isRecorded = Int.random(in: 0...3, using: &generator) == 0
      hear(Int.random(in: 0...1, using: &generator), by: Int.random(in: 0...2, using: &generator), isRecorded: isRecorded)
    case 5...8: try locate(east: [0, 150, 5000, 5000, 5000][Int.random(in: 0..<5, using: &generator)])
    case 9...11:
      receptions[Int.random(in: 0...2, using: &generator)] = [.hearing, .paused, .lost][Int.random(in: 0..<3, using: &generator)]
      note("\(receptions)")
      tellReception()
    case 12:
      let constraint = BeaconConstraint(uuid: Venue.uuid)
      let isMore = rangers == 0 || Bool.random(using: &generator)
      rangers += isMore ? 1 : -1
      driver.adjust { if isMore { $0.startRanging(constraint) } else { $0.stopRanging(constraint) } }
      note("\(rangers) range")
    case 13:
      isScanning.toggle()
      if isScanning { driver.startScan() } else { driver.stopScan() }
      note(isScanning ? "a scan begins" : "the scan ends")
    case 14:
      note("no fix any more")
      let time = Instant.seconds(Double(now))
      driver.adjust { $0.loseFixes(at: time) }
      (awaySince, fixEnd) = (nil, .max)
    default: break
    }
    take(driver.step([], through: .seconds(Double(now))))
    pass([1, 1, 3, 10, 25, 70, 310][Int.random(in: 0..<7, using: &generator)])
  }

  // MARK: Inputs of both

  /// Hears a region, as a source does that reports which adapters can hear and hears nothing without a demand.
  ///
  /// - Parameter isRecorded: Whether a recording makes the source hear. A recording is not a demand of the engine.
  private mutating func hear(_ region: Int, by adapter: Int, isRecorded: Bool) {
    guard receptions[adapter] == .hearing, isListening || isRecorded else { return }
    note("\(Self.names[region]) is heard by \(adapter)")
    let beacon = BeaconIdentity(uuid: Venue.uuid, major: 1, minor: UInt16(region + 1))
    let sighting = Sighting(beacon: beacon, measuredPower: -59, rssi: -60, adapter: UInt16(adapter), time: .seconds(Double(now)))
    take(driver.step([sighting], through: .seconds(Double(now))))
    accounts[region].heardBy[adapter] = now
    accounts[region].lastHeard = now
    accounts[region].listened = []
    accounts[region].silence = 0
  }

  private mutating func tellReception() {
    let (receivers, time) = (Receivers.each(receptions), Instant.seconds(Double(now)))
    driver.adjust { $0.setReception(receivers, at: time) }
  }

  private mutating func locate(east: Double) throws {
    note("\(east) m away")
    take(driver.step(try Walk.fix(Double(now), east: east), at: .seconds(Double(now))))
    // A position 100 m beside a circle of 100 m is near.
    awaySince = east > 250 ? awaySince ?? now : nil
    fixEnd = east > 250 ? now + 300 : .max
  }

  private mutating func pass(_ seconds: Int) {
    var inOneStep = driver
    var transitions: [RegionTransition] = []
    for _ in 0..<seconds {
      let hearing = Self.mask(receptions.indices.filter { receptions[$0] == .hearing })
      let isCounted = isListening
      for region in accounts.indices {
        if isCounted { accounts[region].listened.append(hearing) }
        accounts[region].silence = isCounted && hearing == Self.mask(Array(receptions.indices)) ? accounts[region].silence + 1 : 0
      }
      now += 1
      if now >= fixEnd { (awaySince, fixEnd) = (nil, .max) }
      let outputs = driver.step([], through: .seconds(Double(now)))
      transitions += Self.transitions(of: outputs)
      take(outputs)
      checkSilence()
    }
    // The gate acts at its own deadlines, so one large step of time gives the same result.
    guard Self.transitions(of: inOneStep.step([], through: .seconds(Double(now)))) != transitions else { return }
    fault = fault ?? "\(seconds) s in one step have other transitions than second by second"
  }

  private static func transitions(of outputs: [EngineDriver.Output]) -> [RegionTransition] {
    outputs.compactMap { if case .event(let event) = $0 { event.transition } else { nil } }
  }

  // MARK: The account

  private static func mask(_ adapters: [Int]) -> UInt8 { adapters.reduce(0) { $0 | 1 << UInt8($1) } }

  /// Whether there is a demand for beacons.
  private var isListening: Bool {
    let isGateClosed = awaySince.map { now - $0 >= 20 } ?? false
    return isScanning || rangers > 0 || !isGateClosed || accounts.contains(where: \.isVisited)
  }

  private mutating func take(_ outputs: [EngineDriver.Output]) {
    for case .event(let event) in outputs {
      let transition = event.transition
      guard let region = Self.names.firstIndex(of: transition.region.identifier) else { continue }
      note("\(transition.kind) \(transition.region.identifier) \(transition.state) \(transition.cause)")
      if transition.state != .unknown { accounts[region].isVisited = transition.state == .inside }
      guard transition.cause == .silence else { continue }
      let account = accounts[region]
      // The adapters that heard the region within an exit delay before its last sighting; any adapter if none ever heard it.
      let audience = Self.mask(account.heardBy.filter { $0.value >= account.lastHeard - account.exitDelay }.map(\.key))
      let heardFor = account.listened.count { audience == 0 ? $0 != 0 : $0 & audience != 0 }
      guard heardFor < account.exitDelay else { continue }
      fault = fault ?? "\(transition.region.identifier) is left after \(heardFor) s of silence and not \(account.exitDelay)"
    }
  }

  /// Checks that a region is outside after silence of a whole exit delay.
  private mutating func checkSilence() {
    for (name, account) in zip(Self.names, accounts)
    where account.silence > account.exitDelay && driver.engine.watch(name)?.state != .outside {
      fault = fault ?? "\(name) is not left after \(account.silence) s of silence"
    }
  }

  private mutating func note(_ text: String) {
    if isWritten { script.append("\(now) \(text)") }
  }
}
