import Foundation
import TestSupport
import Testing

/// `make install` and `make uninstall`, into a folder.
@Suite struct InstallTests {
  /// A folder for the installed files, and programs that count as just built.
  private final class Scene {
    let folder: TemporaryDirectory
    let root: String
    let programs: String

    init() throws {
      folder = try TemporaryDirectory()
      root = folder.file("root")
      programs = folder.file("programs")
      try FileManager.default.createDirectory(atPath: "\(programs)/notices", withIntermediateDirectories: true)
      for name in ["beaconmond", "beaconmon-notifier", "beaconmon-web", "beaconmon"] {
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: "\(programs)/\(name)")
      }
      for name in ["LICENSE.txt", "NOTICE.txt"] { try Data(name.utf8).write(to: URL(fileURLWithPath: "\(programs)/notices/\(name)")) }
    }

    /// Runs make without access to apt and swift.
    func make(_ goal: String) throws -> (status: Int32, output: [String], errors: [String]) {
      let program = try RunningProgram(
        "/usr/bin/make",
        ["--no-print-directory", "-C", Programs.repository(""), goal, "DESTDIR=\(root)", "PROGRAMS=\(programs)"],
        environment: ["PATH": "/usr/bin:/bin"])
      return (try program.exitStatus(), try program.output.all(), try program.log.all())
    }

    var files: Set<String> {
      get throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: root)
        var isFolder: ObjCBool = false
        return Set(names.filter { FileManager.default.fileExists(atPath: "\(root)/\($0)", isDirectory: &isFolder) && !isFolder.boolValue })
      }
    }
  }

  @Test func `the installed programs link only to installed libraries`() throws {
    let scene = try Scene()
    #expect(try scene.make("install").status == 0)
    let files = try scene.files
    let guides = files.filter { $0.hasSuffix(".md") }
    #expect(guides.count > 15)
    for guide in guides {
      let place = URL(fileURLWithPath: "\(scene.root)/\(guide)")
      let text = try String(contentsOf: place, encoding: .utf8)
      for link in text.matches(of: /\]\(([^)#]+)(#[^)]*)?\)/).map({ String($0.output.1) }) where !link.contains("://") {
        let target = place.deletingLastPathComponent().appendingPathComponent(link).standardized.path
        #expect(FileManager.default.fileExists(atPath: target), "\(guide) links to \(link)")
      }
      for path in text.matches(of: /\/usr\/share\/(doc\/)?beaconmon\/[A-Za-z0-9.\/_-]*[a-z0-9]/).map({ String($0.output.0) }) {
        #expect(FileManager.default.fileExists(atPath: scene.root + path), "\(guide) names \(path)")
      }
    }
  }

  @Test func `the licence, notices, units and the policy are installed`() throws {
    let scene = try Scene()
    #expect(try scene.make("install").status == 0)
    let doc = "usr/share/doc/beaconmon"
    let expected: Set<String> = [
      "\(doc)/LICENSE", "\(doc)/SECURITY.md", "\(doc)/dependencies.md", "\(doc)/notices/swift-log.NOTICE.txt",
      "\(doc)/notices/swift-log.LICENSE.txt",
      "usr/lib/systemd/system/beaconmon-action@.service", "usr/lib/systemd/system/beaconmon-action.socket",
      "usr/lib/systemd/system/beaconmon-setup.service", "usr/lib/sysusers.d/beaconmon.conf",
      "usr/share/dbus-1/system.d/org.beaconmon.Monitor1.conf",
      "usr/bin/beaconmond", "etc/beaconmon/beaconmon.toml", "usr/share/beaconmon/beaconmon.schema.json",
    ]
    #expect(expected.subtracting(try scene.files).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(scene.root)/etc/beaconmon/conf.d").isEmpty)
    #expect(!FileManager.default.isExecutableFile(atPath: "\(scene.root)/\(doc)/LICENSE"))
    #expect(FileManager.default.isExecutableFile(atPath: "\(scene.root)/usr/bin/beaconmon"))
  }

  @Test func `an uninstall removes all installed files, and keeps the config and other files`() throws {
    let scene = try Scene()
    #expect(try scene.make("install").status == 0)
    let config = "\(scene.root)/etc/beaconmon/beaconmon.toml"
    try Data("source = \"none\"\n".utf8).write(to: URL(fileURLWithPath: config))
    #expect(try scene.make("install").status == 0)
    #expect(try String(contentsOfFile: config, encoding: .utf8) == "source = \"none\"\n")
    let foreign = "usr/share/dbus-1/system.d/org.example.conf"
    try Data().write(to: URL(fileURLWithPath: "\(scene.root)/\(foreign)"))
    let removal = try scene.make("uninstall")
    #expect(removal.status == 0)
    #expect(removal.output.contains { $0.hasPrefix("Kept: ") && $0.contains("/etc/beaconmon") && $0.contains("/var/lib/beaconmon") })
    #expect(try scene.files == ["etc/beaconmon/beaconmon.toml", foreign])
    #expect(!FileManager.default.fileExists(atPath: "\(scene.root)/usr/share/doc/beaconmon"))
  }

  @Test func `a program that is not built, or is older than its sources, is not installed`() throws {
    let scene = try Scene()
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: "\(scene.programs)/notices")
    let stale = try scene.make("install")
    #expect(stale.status == 2)
    #expect(stale.errors.first?.hasSuffix(" is newer than what is built in \(scene.programs); run \"make build\" first") ?? false)
    try FileManager.default.removeItem(atPath: "\(scene.programs)/beaconmond")
    let missing = try scene.make("install")
    #expect(missing.status == 2)
    #expect(
      missing.errors.first == "\(scene.programs)/beaconmond is not there; run \"make build\" first, as a user who has Swift")
    #expect(!FileManager.default.fileExists(atPath: scene.root))
  }
}
