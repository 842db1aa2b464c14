import DBus
import EventLoop
import Failures
import FleetMessages
import FleetReporting
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

  init(_ client: MonitorClient, _ service: ServiceProgram, _ configFile: ConfigurationFile, folder: String?) {
    (self.client, self.service, self.configFile, self.folder) = (client, service, configFile, folder)
  }

  var notifier: NotifierState {
    let (configuration, refused) = (service.reloads.configuration, service.reloads.refusedReload)
    return NotifierState(
      version: ProgramVersion.current, revision: configuration.rollout, configuration: configuration.hash, freeSpace: freeSpace,
      isClockSynchronised: WallClock.isSynchronised, refusedReload: refused?.reason)
  }

  func requestState(_ completion: @escaping (DaemonState) -> Void) {
    client.status { answer in
      switch answer {
      case .success(let record): completion(DaemonState(MonitorStatus(record), isMachineSynchronised: WallClock.isSynchronised))
      case .failure(let error): completion(DaemonState(unreachable: error.message))
      }
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

  func reload(_ completion: @escaping (ReloadAnswer) -> Void) {
    // The notifier replaces its parts, one of which may be the caller.
    service.loop.enqueue { [service] in service.reloads.reload() }
    client.reload { error in
      guard let error else { return completion(.done) }
      let isRefused = error.monitorError == .invalidConfiguration
      completion(isRefused ? .refused(error.message) : .lost(error.message))
    }
  }
}
