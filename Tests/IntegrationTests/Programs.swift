import Foundation
import Testing

/// The paths of our programs, their peers and the fixtures.
enum Programs {
  /// The folder of the programs: BEACONMON_PROGRAMS, or else the folder of the tests.
  private static let folder = ProcessInfo.processInfo.environment["BEACONMON_PROGRAMS"].map { URL(fileURLWithPath: $0) } ?? tests
  private static let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  static let daemon = path("beaconmond")
  static let notifier = path("beaconmon-notifier")
  static let commandLine = path("beaconmon")
  static let web = path("beaconmon-web")
  static let clientProbe = unshipped("client-probe")
  static let testbed = repository("Sources/Apps/beaconmon-testbed/beaconmon-testbed")
  static let python = "/usr/bin/python3"
  /// An environment in which our programs are found by name, as after an installation.
  static let onPath = ["PATH": "\(folder.path):/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"]

  static func peer(_ name: String) -> String { sources.appendingPathComponent("Peers/\(name)").path }
  static func fixture(_ name: String) -> String { sources.appendingPathComponent("../Fixtures/\(name)").standardized.path }
  static func repository(_ path: String) -> String { sources.appendingPathComponent("../../\(path)").standardized.path }

  /// Returns a program that is not installed, such as an example.
  static func unshipped(_ program: String) -> String { tests.appendingPathComponent(program).path }

  static func path(_ program: String) -> String { folder.appendingPathComponent(program).path }

  /// Whether the programs contain the standard library, as the installed ones do. The documented figures are theirs.
  static let areForRelease: Bool = {
    do {
      let octets = try Data(contentsOf: URL(fileURLWithPath: daemon), options: .alwaysMapped)
      return octets.range(of: Data("libswiftCore.so".utf8)) == nil
    } catch {
      return false
    }
  }()
}

extension Trait where Self == ConditionTrait {
  /// Runs the test only with the installed form of the programs, to which the documented figures apply.
  static var ofRelease: Self {
    .enabled(if: Programs.areForRelease, "the figures are those of the release build: make build, then Tests/run .build/programs")
  }
}
