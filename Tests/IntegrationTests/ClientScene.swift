import Beaconmon
import Foundation
import Synchronization
import TestSupport

/// A daemon, and the parts of a Swift program that uses it.
final class ClientScene {
  let stage: Stage
  let feed: CaptureFeed
  let daemon: RunningProgram
  let uuid: UUID

  /// - Parameter config: The config, in which FOLDER stands for the folder of the test.
  init(config: String = "") throws {
    stage = try Stage()
    feed = try CaptureFeed(stage)
    let config = config.replacing("FOLDER", with: stage.folder.path)
    daemon = try stage.daemon(config: try stage.file("config.toml", config), source: feed.path)
    uuid = try UUID.ofCaptures
    try feed.hear(at: 0)
  }

  var bus: Bus { .address(stage.bus.address) }
  var constraint: BeaconIdentityConstraint { BeaconIdentityConstraint(uuid: uuid) }

  func manager() -> LocationManager { LocationManager(purpose: "Shows the exhibit", bus: bus) }

  /// Replaces the daemon by another one.
  func restart(feed name: String) throws -> (RunningProgram, CaptureFeed) {
    daemon.signal(SIGKILL)
    _ = try daemon.exitStatus()
    let feed = try CaptureFeed(stage, named: name)
    return (try stage.daemon(config: stage.folder.file("config.toml"), source: feed.path), feed)
  }

  func decide(_ words: String...) throws {
    let result = try CommandLine(["privacy"] + words + ["--bus", stage.bus.address])
    guard result.status == 0 else { throw TimeoutError("privacy \(words) ended with \(result.status)") }
  }
}

extension UUID {
  static var ofCaptures: UUID {
    get throws {
      guard let uuid = UUID(uuidString: CaptureOctets.uuid) else { throw TimeoutError("no UUID") }
      return uuid
    }
  }
}

/// A delegate that records its calls as text.
@MainActor final class DelegateRecorder: LocationManagerDelegate {
  nonisolated private let written = Mutex<[String]>([])
  nonisolated private let told = Mutex<[ServiceGap]>([])
  nonisolated private let places = Mutex<[Location]>([])

  nonisolated init() {}

  nonisolated var lines: [String] { written.withLock { $0 } }
  nonisolated var gaps: [ServiceGap] { told.withLock { $0 } }
  nonisolated var locations: [Location] { places.withLock { $0 } }

  /// Creates a delegate on the main actor, from any other thread.
  nonisolated static func of(_ manager: LocationManager) -> DelegateRecorder {
    let diary = DelegateRecorder()
    DispatchQueue.main.sync { MainActor.assumeIsolated { manager.delegate = diary } }
    return diary
  }

  /// Waits for a line, after the one at `start`.
  nonisolated func wait(for line: String, after start: Int = 0) throws {
    do {
      try IntegrationTests.wait(for: line) { lines.dropFirst(start).contains(line) }
    } catch {
      throw TimeoutError("\"\(line)\" did not come after:\n\(lines.joined(separator: "\n"))")
    }
  }

  private func write(_ line: String) { written.withLock { $0.append(line) } }

  func locationManagerDidChangeAuthorization(_ manager: LocationManager) { write("may \(manager.authorizationStatus)") }

  func locationManager(_ manager: LocationManager, didRange beacons: [Beacon], satisfying beaconConstraint: BeaconIdentityConstraint) {
    write("ranged \(beacons.map { "\($0.minor) \($0.proximity)" }.joined(separator: ", "))")
  }

  func locationManager(_ manager: LocationManager, didFailRangingFor beaconConstraint: BeaconIdentityConstraint, error: any Error) {
    write("ranging failed: \((error as? LocationError)?.code.rawValue ?? "?")")
  }

  func locationManager(_ manager: LocationManager, didStartMonitoringFor region: any Region) { write("began \(region.identifier)") }

  func locationManager(_ manager: LocationManager, didEnterRegion region: any Region) { write("entered \(region.identifier)") }

  func locationManager(_ manager: LocationManager, didExitRegion region: any Region) { write("exited \(region.identifier)") }

  func locationManager(_ manager: LocationManager, didCrossRegion region: any Region) { write("crossed \(region.identifier)") }

  func locationManager(_ manager: LocationManager, didReceive event: BeaconEvent) {
    write("\(event.problem) \(event.change) \(event.beacon.minor ?? 0)")
  }

  func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
    places.withLock { $0 += locations }
    for location in locations { write("at \(location.coordinate.latitude)") }
  }

  func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
    write("no location: \((error as? LocationError)?.code.rawValue ?? "?")")
  }

  func locationManager(_ manager: LocationManager, didUpdateHeading newHeading: Heading) {
    write("heading \(newHeading.magneticHeading.map { "\($0)" } ?? "unknown")")
  }

  func locationManager(_ manager: LocationManager, didChangeStationary isStationary: Bool) { write("stationary \(isStationary)") }

  func locationManager(_ manager: LocationManager, didDetermineState state: RegionState, for region: any Region) {
    write("\(region.identifier) is \(state)")
  }

  func locationManager(_ manager: LocationManager, monitoringDidFailFor region: (any Region)?, withError error: any Error) {
    write("\(region?.identifier ?? "?") failed: \(error)")
  }

  func locationManager(_ manager: LocationManager, didRegister region: any Region) { write("registered \(region.identifier)") }

  func locationManager(_ manager: LocationManager, didChange service: ServiceStatus) {
    switch service {
    case .connecting: write("connecting")
    case .available(after: nil): write("available")
    case .available(after: let gap?):
      told.withLock { $0.append(gap) }
      write("available again")
    case .away(let reason): write("away: \(reason)")
    }
  }
}
