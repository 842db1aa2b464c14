import Beacons
import EventActions
import FleetMessages
import Instants
import Logging
import Scheduling

/// Sends digests of beacons and reports about the device to the hub of a fleet, and hands out the messages of the hub.
///
/// Without a hub there is no session and no timer.
public final class FleetReporter {
  /// The longest time between two reports.
  static let reportInterval = Span.seconds(Double(DeviceReport.interval))
  /// The interval of the checks for a change.
  static let checkInterval = Span.seconds(60)
  /// The shortest time between two reports that acknowledge messages of the hub.
  static let acknowledgementInterval = Span.seconds(1)
  /// The time in which at most one message that cannot be handled is logged: a hostile hub must not fill the log.
  static let logPace = Span.seconds(60)

  private let scheduler: any Scheduler
  private let beacons: (any DigestBeacons)?
  private let ports: FleetPorts?
  private let log: Logger
  private var settings: HubSettings?
  private var target: (any FleetTarget)?
  private var backlog: DigestBacklog?
  private var observation: AnyObject?
  private var collector: DigestCollector
  private var digestTimer: (any SchedulerTimer)?
  private var reportTimer: (any SchedulerTimer)?
  private let journal = StreamJournal(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  private var lastReport: Int64 = 0
  /// The report that the hub has, and the time of its sending; nil until this connection has acknowledged one.
  private var sent: (report: DeviceReport, time: Instant)?
  private var handled = HandledMessages()
  private var lastAcknowledgement = Instant(microseconds: .min)
  private var lastFailure = Instant(microseconds: .min)

  /// - Parameter beacons: ranges the beacons of digests; nil for no digests.
  public init(_ scheduler: any Scheduler, _ beacons: (any DigestBeacons)?, _ ports: FleetPorts?, log: Logger) {
    (self.scheduler, self.beacons, self.ports, self.log) = (scheduler, beacons, ports, log)
    collector = DigestCollector(at: scheduler.now)
    digestTimer = scheduler.timer { [unowned self] in closeDigest() }
    reportTimer = scheduler.timer { [unowned self] in report() }
    ports?.rollouts?.onChange = { [weak self] in self?.acknowledgeSoon() }
  }

  /// Applies settings; a hub that did not change continues without interruption.
  public func use(_ hub: HubSettings?, _ target: (any FleetTarget)?) {
    if self.target !== target {
      target?.onConnectionChange = { [weak self] in self?.connectionChanged() }
      target?.onMessage = { [weak self] in self?.receive($0) }
      (self.target, sent) = (target, nil)
    } else {
      target?.reconnect()
    }
    ports?.sharing?.use(hub == nil ? nil : target, of: hub.map { "\($0.address.commonName) at \($0.host)" } ?? "")
    ports?.rollouts?.use(hub.flatMap { hub in hub.rolloutKey.map { RolloutService.Trust(key: $0, address: hub.address) } })
    guard let hub, let target else { return stop() }
    let hasOtherBeacons = hub.interval != self.settings?.interval || hub.beacons != self.settings?.beacons
    self.settings = hub
    if hasOtherBeacons { observe(hub) }
    backlog?.target = target
    // The configuration may have changed.
    if target.isConnected { report() }
  }

  /// Stores the digests that wait; the reporter is not used afterwards.
  public func end() { backlog?.end() }

  private func stop() {
    guard settings != nil else { return }
    end()
    (settings, backlog, observation) = (nil, nil, nil)
    digestTimer?.arm(at: .never)
    reportTimer?.arm(at: .never)
  }

  private func connectionChanged() {
    sent = nil
    if target?.isConnected == true { report() } else { reportTimer?.arm(at: .never) }
    backlog?.connectionChanged()
    ports?.sharing?.connectionChanged()
  }
}

// MARK: Digests

extension FleetReporter {
  private func observe(_ hub: HubSettings) {
    // The former session ends first, so that there are never two.
    observation = nil
    collector = DigestCollector(at: scheduler.now)
    digestTimer?.arm(at: .never)
    guard hub.interval != nil, !hub.beacons.isEmpty else { return }
    if backlog == nil {
      let journal = StreamJournal(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
      backlog = DigestBacklog(scheduler, ports?.openStore(), journal: journal, log: log)
    }
    let constraints = Set(hub.beacons.map { BeaconConstraint(uuid: $0) })
    observation = beacons?.rangePassively(constraints) { [weak self] in self?.take($0, of: $1) }
  }

  private func take(_ reports: [BeaconReport], of time: Instant) {
    guard let interval = settings?.interval else { return }
    collector.take(reports, of: time, at: scheduler.now)
    if !collector.isEmpty, digestTimer?.due == nil { digestTimer?.arm(at: scheduler.now + interval) }
  }

  private func closeDigest() {
    let digest = collector.close(at: scheduler.now)
    backlog?.append(digest, time: scheduler.wallClock.microseconds / 1000)
  }
}

// MARK: Reports

extension FleetReporter {
  private func report() {
    guard target?.isConnected == true, let ports else { return }
    reportTimer?.arm(at: scheduler.now + Self.checkInterval)
    ports.device.requestState { [weak self] in self?.send($0) }
  }

  private func send(_ daemon: DaemonState) {
    guard let ports else { return }
    ports.rollouts?.note(daemon)
    guard let target, target.isConnected else { return }
    var report = DeviceReport(ports.device.notifier, daemon)
    let now = scheduler.now
    report.droppedDigests = backlog?.dropped ?? 0
    report.acknowledged = handled.next
    report.rollout = ports.rollouts?.report
    if !report.acknowledged.isEmpty {
      lastAcknowledgement = now
    } else if let sent, now - sent.time < Self.reportInterval, !report.differs(from: sent.report), !isTooOld(sent.time) {
      return
    }
    sent = (report, now)
    lastReport += 1
    // A report replaces those before, which are not sent again.
    let time = scheduler.wallClock.microseconds / 1000
    let message = FleetMessage(journal: journal, sequence: lastReport, floor: lastReport, time: time, body: .report(report))
    target.publish(message) { [weak self, report] isAcknowledged in
      // After the loss of the connection, the next one begins with a report.
      guard let self, isAcknowledged else { return }
      self.ports?.rollouts?.acknowledged(report, sent: now)
      guard !report.acknowledged.isEmpty else { return }
      handled.acknowledge(report.acknowledged)
      if !handled.unacknowledged.isEmpty { acknowledgeSoon() }
    }
  }

  /// Whether a trial of a rollout needs a later report than the one that was sent at a time.
  private func isTooOld(_ time: Instant) -> Bool { ports?.rollouts?.reportDue.map { time < $0 } ?? false }
}

// MARK: Messages of the hub

extension FleetReporter {
  private func receive(_ message: HubMessage) {
    guard let receiver = ports?.receivers[message.kind] else { return }
    if !handled.noteRepetition(of: message.number) {
      do {
        try receiver.receive(message.payload)
      } catch {
        guard scheduler.now - lastFailure >= Self.logPace else { return }
        lastFailure = scheduler.now
        log.warning("a message of the hub cannot be handled now: \(error)")
        return
      }
      handled.note(message.number)
    }
    acknowledgeSoon()
  }

  /// Sends a report at most once a second, even in a flood of messages.
  private func acknowledgeSoon() {
    let next = max(scheduler.now, lastAcknowledgement + Self.acknowledgementInterval)
    reportTimer?.arm(at: min(next, reportTimer?.due ?? .never))
  }
}

extension DeviceReport {
  /// Whether the reports differ in more than acknowledgements and the free space, which always changes.
  fileprivate func differs(from other: DeviceReport) -> Bool {
    var same = self
    (same.freeSpace, same.acknowledged) = (other.freeSpace, other.acknowledged)
    return same != other
  }
}

/// The numbers of the hub's messages that were handled since the start of the process, the newest ones.
private struct HandledMessages {
  private static let most = 256

  /// The numbers that no acknowledged report has, the oldest first.
  private(set) var unacknowledged: [Int64] = []
  private var recent: [Int64] = []

  /// The numbers for the next report.
  var next: [Int64] { Array(unacknowledged.prefix(DeviceReport.maximumAcknowledged)) }

  /// Notes that a message has come again; false if it was not handled.
  ///
  /// A message may come again after a newer one that replaces it, so it must not be handled twice.
  mutating func noteRepetition(of number: Int64) -> Bool {
    guard recent.contains(number) else { return false }
    note(number)
    return true
  }

  /// Notes a message that was handled.
  mutating func note(_ number: Int64) {
    if !unacknowledged.contains(number) { unacknowledged.append(number) }
    if !recent.contains(number) { recent.append(number) }
    if unacknowledged.count > Self.most { unacknowledged.removeFirst() }
    if recent.count > Self.most { recent.removeFirst() }
  }

  /// Notes that the hub has a report with these numbers.
  mutating func acknowledge(_ numbers: [Int64]) { unacknowledged.removeAll { numbers.contains($0) } }
}
