import Alerts
import EventActions
import Events
import FleetAlerts
import Instants
import Logging
import Testing

@Suite struct AlertServiceTests {
  private let scheduler = ManualScheduler()
  private let rows = AlertRows()
  private let log = LogLines()
  private let settings: AlertService.Settings

  init() {
    var limits = AlertLimits()
    limits.steady = .seconds(20)
    settings = AlertService.Settings(
      limits: limits, targets: [Target(name: "operators", .application("org.example.Operators"))],
      actions: [AlertAction(targets: ["operators"])])
  }

  /// Starts a process that delivers to a target of its own.
  private func start(_ target: NotingTarget, on machine: String = "hub1") -> AlertService {
    let (rows, scheduler) = (rows, scheduler)
    let ports = AlertService.Ports(
      machine: machine, connect: { try AlertLink(rows, scheduler, of: machine) }, disks: { [] }, backlog: nil,
      destination: { _ in target })
    let service = AlertService(scheduler, settings, ports, log: log.logger)
    service.start()
    scheduler.settle()
    return service
  }

  @Test("a process that takes the lock continues with the open alerts")
  func takeover() {
    let (first, second) = (NotingTarget(scheduler), NotingTarget(scheduler))
    let leader = start(first)
    let next = start(second, on: "hub2")
    rows.hasWorkers = false
    scheduler.advance(by: .seconds(60))
    #expect(first.kinds == [.alert] && second.kinds == [] && leader.isLeading && !next.isLeading)
    // The lock ends with the link.
    rows.unreachable = ["hub1"]
    scheduler.advance(by: .seconds(60))
    #expect(next.isLeading && second.kinds == [], "the alert is open already")
    rows.hasWorkers = true
    scheduler.advance(by: .seconds(60))
    #expect(first.kinds == [.alert] && second.kinds == [.alertEnded] && rows.alerts.isEmpty && rows.deliveries.isEmpty)
  }

  @Test("an outcome while the database is away is stored when it returns")
  func outcomes() {
    let target = NotingTarget(scheduler)
    target.isSlow = true
    let service = start(target)
    rows.hasWorkers = false
    scheduler.advance(by: .seconds(30))
    #expect(target.kinds == [.alert] && rows.settled.isEmpty)
    rows.isDown = true
    target.answer()
    scheduler.settle()
    #expect(!service.isLeading && rows.settled.isEmpty && rows.deliveries.count == 1)
    scheduler.advance(by: .seconds(30))
    rows.isDown = false
    scheduler.advance(by: .seconds(30))
    #expect(service.isLeading && rows.settled.count == 1 && rows.deliveries.isEmpty && target.kinds == [.alert])
  }

  @Test("a process without the lock decides and delivers nothing until it gets the lock")
  func waiting() throws {
    let target = NotingTarget(scheduler)
    var other: AlertLink? = try AlertLink(rows, scheduler, of: "hub3")
    #expect(try other?.lead() == true)
    let service = start(target)
    rows.hasWorkers = false
    scheduler.advance(by: .seconds(300))
    #expect(!service.isLeading && rows.readings == 0 && rows.batches == 0 && target.kinds == [])
    #expect(log.all == ["another process watches the fleet; this one waits"])
    other = nil
    scheduler.advance(by: .seconds(60))
    #expect(service.isLeading && rows.alerts.count == 1 && target.kinds == [.alert])
  }

  @Test("the failure and the return of the database are logged once, and no alert is sent twice")
  func failure() {
    let target = NotingTarget(scheduler)
    let service = start(target)
    rows.hasWorkers = false
    scheduler.advance(by: .seconds(60))
    rows.isDown = true
    scheduler.advance(by: .seconds(300))
    #expect(!service.isLeading && target.kinds == [.alert])
    rows.isDown = false
    scheduler.advance(by: .seconds(60))
    #expect(service.isLeading && target.kinds == [.alert])
    rows.hasWorkers = true
    scheduler.advance(by: .seconds(60))
    #expect(target.kinds == [.alert, .alertEnded] && rows.deliveries.isEmpty)
    #expect(log.all.count { $0 == "the database does not answer; starting over" } == 1)
    #expect(log.all.count { $0 == "the database answers again" } == 1)
  }
}
