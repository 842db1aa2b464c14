import DBus
import EventLoop
import FleetMessages
import FleetReporting
import Glibc
import MonitorClient
import ProgramSupport
import Records
import Status

/// The state of this device for the reports to a hub.
final class ReportingDevice: FleetDevice {
  private let client: MonitorClient
  /// The folder whose disk may fill; nil for a notifier that stores nothing.
  private let folder: String?
  private let service: ServiceProgram

  init(_ client: MonitorClient, _ service: ServiceProgram, folder: String?) {
    (self.client, self.service, self.folder) = (client, service, folder)
  }

  func requestReport(_ completion: @escaping (DeviceReport) -> Void) {
    client.status { [weak self] answer in
      guard let self else { return }
      let health =
        switch answer {
        case .success(let record): HealthReport(MonitorStatus(record), isMachineSynchronised: WallClock.isSynchronised)
        case .failure(let error): HealthReport(unreachable: error.message)
        }
      let refused = service.refusedReload.map { ["the notifier refused a reload: \($0.reason)"] } ?? []
      completion(
        DeviceReport(
          version: Program.version, configuration: service.configuration.hash, freeSpace: freeSpace,
          isClockSynchronised: WallClock.isSynchronised, problems: (health.problems ?? []).compactMap(\.note) + refused))
    }
  }

  private var freeSpace: Int64? {
    var status = statvfs()
    guard let folder, statvfs(folder, &status) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }
}
