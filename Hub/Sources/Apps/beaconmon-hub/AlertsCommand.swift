import Alerts
import ArgumentParser
import BrokerDefinitions
import EventActions
import EventLoop
import FleetAlerts
import FleetDatabase
import Glibc
import Instants
import Logging
import MonitorConfiguration
import Notification
import Partitions
import RabbitMQ
import Records

struct AlertsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts",
    abstract: "Watch the fleet, and send alerts to webhooks, MQTT brokers, commands and the log.",
    discussion: """
      The file has the limits in [alerts], and targets and actions in [[notifier.target]] and [[notifier.action]] as in beaconmon.toml. \
      Changes of the file require a restart. Any number of these programs may run with the same file, such as one on each machine of the \
      hub: one of them watches and delivers, and each measures its own disks. The backlog of the broker needs --broker.

      Examples:
        beaconmon-hub alerts --config alerts.toml --check
        beaconmon-hub alerts --test
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var brokers: BrokerOptions
  @Option(help: ArgumentHelp("The configuration.", valueName: "file")) var config = "/etc/beaconmon-hub/alerts.toml"
  @Flag(help: "Check the configuration, its secrets and its disks, and exit.") var check = false
  @Flag(help: "Send a test to every target, print the results, and exit.") var test = false

  func run() throws {
    let configuration = try read()
    let log = Logger.hub
    let loop = try Loop()
    let targets = AlertTargets(loop, configuration, isTest: test, log: log)
    do { try targets.check() } catch { throw Misconfiguration("\(config): \(error)") }
    let counts = (Count.text(configuration.targets.count, "target"), Count.text(configuration.actions.count, "action"))
    if check {
      if let fault = configuration.limits.fault { throw Misconfiguration("\(config): alerts: \(fault)") }
      for path in configuration.disks {
        do throws(SystemCallError) { _ = try FileSystemSpace(of: path) } catch {
          let reason = SystemCallError.text(of: error.code)
          throw Misconfiguration("\(config): disks: \(path) cannot be examined: \(reason); create the folder, or remove it from disks")
        }
      }
      for warning in warnings(configuration) { log.warning("\(config): \(warning)") }
      return print("\(config): \(counts.0), \(counts.1)")
    }
    // The signals are blocked before anything is sent.
    let signals = try [SIGTERM, SIGINT].map { try loop.signal($0) { loop.stop() } }
    signal(SIGPIPE, SIG_IGN)
    if test {
      guard try TargetTest.run(loop, configuration.targets, targets) else { throw ExitCode.failure }
      return
    }
    _ = try database.parameters()
    let hasBroker = try brokers.areGiven()
    if hasBroker { _ = try brokers.endpoints() }
    let settings = AlertService.Settings(limits: configuration.limits, targets: configuration.targets, actions: configuration.actions)
    var rotation = NodeRotation()
    let service = AlertService(
      loop, settings,
      AlertService.Ports(
        machine: DeviceIdentity.hostName,
        connect: {
          Self.postponeAlarm()
          let store = try AlertDatabase(try database.connect())
          for site in try store.unknownSites(of: configuration.actions) { log.warning("\(config): \(Self.unknown(site))") }
          return store
        }, disks: { Self.disks(configuration.disks) },
        certificates: { (try? brokers.machineCertificates()) ?? [] },
        backlog: hasBroker ? { try backlog(&rotation) } : nil,
        destination: { try targets.destination($0) }),
      log: log)
    for disk in Self.disks(configuration.disks) where disk.free == nil {
      log.warning("\(config): the disk of \(disk.path) cannot be examined; create the folder, or remove it from disks")
    }
    if let fault = configuration.limits.fault { log.warning("\(config): alerts: \(fault)") }
    if configuration.actions.isEmpty { log.warning("\(config): \(Self.noAction)") }
    service.start()
    let manager = try ServiceManager(loop: loop)
    manager.ready("Watching")
    _ = try loop.run()
    withExtendedLifetime((signals, service)) { manager.stopping() }
  }

  private func read() throws -> AlertConfiguration {
    do { return try AlertConfiguration.read(file: config) } catch { throw Misconfiguration("\(error)") }
  }

  private static let noAction = "no [[notifier.action]], so that alerts are only shown by status and the page"
  private static func unknown(_ site: String) -> String { "no site \(site) is enrolled, so that its actions have no effect" }

  /// Returns the parts of a configuration that have no effect.
  ///
  /// The database, which knows the sites, need not be reachable for a check.
  private func warnings(_ configuration: AlertConfiguration) -> [String] {
    guard !configuration.actions.isEmpty else { return [Self.noAction] }
    guard configuration.actions.contains(where: { $0.sites != nil }) else { return [] }
    do {
      return try AlertDatabase(try database.connect()).unknownSites(of: configuration.actions).map(Self.unknown)
    } catch {
      return ["the sites of actions were not compared with the enrolled ones: \(error)"]
    }
  }

  /// Asks a node of the broker.
  private func backlog(_ rotation: inout NodeRotation) throws -> Int {
    let nodes = try brokers.nodes()
    let map = try FleetSchema(try database.connect()).queues()
    return try rotation.ask(nodes) { try $0.backlogs(of: map) }.reduce(0, +)
  }

  /// Restarts the time after which the kernel ends a program that hangs in a library; its supervisor then starts another.
  private static func postponeAlarm() { alarm(120) }

  private static func disks(_ paths: [String]) -> [DiskSpace] {
    postponeAlarm()
    return paths.map { DiskSpace(path: $0, free: (try? FileSystemSpace(of: $0))?.freeOctets) }
  }
}
