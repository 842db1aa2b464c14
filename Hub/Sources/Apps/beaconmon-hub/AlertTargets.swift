import ArgumentParser
import DeliveryScheduling
import DeliveryTargets
import EventActions
import EventLoop
import Events
import Instants
import LocalTargets
import Logging
import MonitorConfiguration
import Notification
import Publishing

/// Makes the targets of alerts with the code of the notifier.
final class AlertTargets {
  private let loop: Loop
  private let targets: [Target]
  private let maker: TargetMaker

  init(_ loop: Loop, _ configuration: AlertConfiguration, isTest: Bool, log: Logger) {
    (self.loop, targets) = (loop, configuration.targets)
    let id = "hub-\(DeviceIdentity.id ?? TopicTree.level(for: DeviceIdentity.hostName))"
    let topic = "beaconmon/hub"
    let owner = TargetMaker.Owner(
      id: id, name: "beaconmon hub", topic: topic, version: BeaconmonHub.configuration.version
    ) { DiscoveryPlace(prefix: $0.discovery ?? "homeassistant", base: $0.topic ?? topic, device: id) }
    maker = TargetMaker(loop, for: owner, parallelCommands: configuration.parallelCommands, isTest: isTest, log: log)
  }

  /// Throws if the secrets of a target cannot be read.
  func check() throws {
    for target in targets {
      do throws(SecretError) {
        if case .webhook(let settings) = target.means { _ = try maker.webhook(settings) }
        if case .mqtt(let settings) = target.means { _ = try maker.broker(settings, of: target) { .none } }
      } catch {
        throw TargetError("target \(target.label): \(error)")
      }
    }
  }

  func destination(_ target: Target) throws -> any DeliveryTarget {
    switch target.means {
    case .command(let arguments, let timeout):
      return maker.command(target, by: ChildCommandRunner(loop, arguments, timeout: timeout), timeout: timeout)
    case .log(let template): return maker.log(template)
    case .webhook(let settings): return try maker.webhook(settings).make()
    case .mqtt(let settings): return try maker.broker(settings, of: target, isCurrent: true) { .none }.make()
    default:
      // The reader of the configuration refuses all other kinds.
      throw TargetError("target \(target.label): the hub cannot deliver to it")
    }
  }
}

struct TargetError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension TargetTest {
  /// Sends a test to every target, past the database, prints their results, and returns whether all have received it.
  static func run(_ loop: Loop, _ targets: [Target], _ maker: AlertTargets) throws -> Bool {
    let test = TargetTest(.alertTest(time: WallClock.now)) { print($0) }
    test.onEnd = { loop.stop() }
    test.send(to: try targets.map { ($0.name, try maker.destination($0)) })
    if !test.isOver { _ = try loop.run() }
    return test.finish()
  }
}
