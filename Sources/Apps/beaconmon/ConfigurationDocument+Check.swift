import Calendars
import EventLoop
import MonitorConfiguration

extension ConfigurationDocument {
  /// Returns every warning of `beaconmon config check`: those of the config in its order, and those of its venues.
  ///
  /// - Parameters:
  ///   - services: The services whose references are checked.
  ///   - withRegions: Whether the parts that only the daemon reads are checked.
  func checkWarnings(
    for services: Set<ConfiguredService> = Set(ConfiguredService.allCases), withRegions: Bool = true
  ) -> (config: [ConfigurationProblem], venues: [ConfigurationProblem]) {
    let environment = ChildCommand.ownEnvironment()
    let config = inOrder(
      renamedKeys + (withRegions ? warnings : []) + machineWarnings(for: services, environment: environment)
        + (withRegions ? appointmentWarnings(at: WallClock.now) { CalendarReader.read($0, at: WallClock.now) } : []))
    return (config, withRegions ? venues.flatMap { $0.warnings + $0.machineWarnings(environment: environment) } : [])
  }
}
