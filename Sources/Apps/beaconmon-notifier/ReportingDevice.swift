import DBus
import EventLoop
import Failures
import FleetMessages
import FleetReporting
import Logging
import MonitorClient
import MonitorConfiguration
import MonitorProtocol
import ProgramSupport
import ProgramVersion
import Records
import Reloading
import Status

/// The state of this device for the reports to a hub.
final class ReportingDevice: FleetDevice {
  private let client: MonitorClient
  /// The folder whose disk may fill; nil for a notifier that stores nothing.
  private let folder: String?
  private let service: ServiceProgram
  private let configFile: ConfigurationFile
  private(set) var severity: HealthSeverity?

  init(_ client: MonitorClient, _ service: ServiceProgram, _ configFile: ConfigurationFile, folder: String?) {
    (self.client, self.service, self.configFile, self.folder) = (client, service, configFile, folder)
  }

  func requestReport(_ completion: @escaping (DeviceReport) -> Void) {
    client.status { [weak self] answer in
      guard let self else { return }
      let health =
        switch answer {
        case .success(let record): HealthReport(MonitorStatus(record), isMachineSynchronised: WallClock.isSynchronised)
        case .failure(let error): HealthReport(unreachable: error.message)
        }
      // A daemon that does not answer, as during its start, says nothing about its health.
      if case .success = answer { severity = health.severity }
      let (configuration, refused) = (service.reloads.configuration, service.reloads.refusedReload)
      completion(
        DeviceReport(
          version: ProgramVersion.current, revision: configuration.rollout ?? 0, configuration: configuration.hash, freeSpace: freeSpace,
          isClockSynchronised: WallClock.isSynchronised,
          problems: (health.problems ?? []).compactMap(\.note)
            + (refused.map { ["the notifier refused a reload: \($0.reason)"] } ?? [])))
    }
  }

  private var freeSpace: Int64? {
    guard let folder, let space = try? FileSystemSpace(of: folder) else { return nil }
    return Int64(clamping: space.freeOctets ?? 0)
  }
}

extension ReportingDevice: RolloutDevice {
  var trialClock: TrialClock { .now }

  func problem(with rollout: SignedRollout) throws -> String? {
    // The administrator of the device may be editing the files.
    _ = try configFile.read()
    do throws(Failure) { try configFile.check(with: rollout) } catch {
      guard error.status == .config else { throw error }
      return "\(error)"
    }
    return nil
  }

  func reload(_ completion: @escaping (Bool) -> Void) {
    // The notifier replaces its parts, one of which may be the caller.
    service.loop.enqueue { [service] in service.reloads.reload() }
    client.reload { [log = service.log] error in
      if let error { log.warning("the daemon has not read the configuration again: \(error.message)") }
      completion(error == nil || error?.name == MonitorNames.errorPrefix + MonitorNames.invalidConfiguration)
    }
  }

  func requestUse(_ completion: @escaping (RolloutUse?) -> Void) {
    client.status { answer in
      guard case .success(let record) = answer else { return completion(nil) }
      let status = MonitorStatus(record)
      let health = HealthReport(status, isMachineSynchronised: WallClock.isSynchronised)
      let use = RolloutUse(revision: status.configuration?.rollout, severity: health.severity, problem: health.problems?.first?.note)
      completion(use)
    }
  }
}

extension HealthReport {
  fileprivate var severity: HealthSeverity {
    switch state {
    case .ok, nil: .ok
    case .degraded: .degraded
    case .failed: .failed
    }
  }
}
