import Foundation
import Testing

/// Where things are: our programs, their peers, and the fixtures.
enum Programs {
  /// The folder that BEACONMON_PROGRAMS names, or else the one that holds the tests.
  private static let folder =
    ProcessInfo.processInfo.environment["BEACONMON_PROGRAMS"].map { URL(fileURLWithPath: $0) }
    ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  static let daemon = path("beaconmond")
  static let notifier = path("beaconmon-notifier")
  static let commandLine = path("beaconmon")
  static let testbed = repository("Sources/Apps/beaconmon-testbed/beaconmon-testbed")
  static let python = "/usr/bin/python3"
  /// An environment where our programs are found by their names, as once they are installed.
  static let onPath = ["PATH": "\(folder.path):/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"]

  static func peer(_ name: String) -> String { sources.appendingPathComponent("Peers/\(name)").path }
  static func fixture(_ name: String) -> String { sources.appendingPathComponent("../Fixtures/\(name)").standardized.path }
  static func repository(_ path: String) -> String { sources.appendingPathComponent("../../\(path)").standardized.path }

  static func path(_ program: String) -> String { folder.appendingPathComponent(program).path }

  /// The one that is installed has the standard library inside; the figures that we promise are its.
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
  /// Of figures that are promised.
  static var ofRelease: Self {
    .enabled(if: Programs.areForRelease, "the figures are those of the release build: make build, then Tests/run .build/release")
  }
}
