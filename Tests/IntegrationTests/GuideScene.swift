import Foundation
import TestSupport

/// The gallery guide on a screen of its own, started before any daemon.
final class GuideScene {
  let stage: Stage
  let guide: RunningProgram
  /// The environment of programs on the screen.
  let environment: [String: String]
  private let screen: RunningProgram
  /// The folder of the pictures: BEACONMON_SCREENSHOTS, or `.build/screenshots`.
  private let pictures: URL
  private var taken: [String] = []

  static let size = (width: 460, height: 780)

  /// - Parameters:
  ///   - arguments: further arguments of the guide.
  ///   - language: the language of the desktop; empty for none.
  init(_ arguments: [String] = [], language: String = "") throws {
    stage = try Stage()
    pictures = URL(
      fileURLWithPath: ProcessInfo.processInfo.environment["BEACONMON_SCREENSHOTS"] ?? Programs.repository(".build/screenshots"))
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    screen = try RunningProgram(
      "/usr/bin/Xvfb",
      ["-displayfd", "1", "-screen", "0", "\(Self.size.width)x\(Self.size.height)x24", "-fbdir", stage.folder.path, "-nolisten", "tcp"])
    let display = try screen.output.next("the screen")
    try FileManager.default.createDirectory(atPath: stage.folder.file("gtk-4.0"), withIntermediateDirectories: true)
    _ = try stage.file("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=0\ngtk-font-name=Cantarell 11\n")
    environment = [
      "DISPLAY": ":\(display)", "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none", "LC_ALL": "C.UTF-8",
      "LANGUAGE": language,
      "DBUS_SYSTEM_BUS_ADDRESS": stage.bus.address, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(stage.folder.file("none"))",
      "XDG_CONFIG_HOME": stage.folder.path, "PYTHONDONTWRITEBYTECODE": "1",
    ]
    guide = try RunningProgram(
      Programs.repository("Docs/examples/gallery-guide/gallery-guide"), ["--print"] + arguments, environment: environment)
  }

  deinit {
    // The guide ends before its screen.
    guide.signal(SIGKILL)
  }

  /// Waits for the next change of the screen.
  func shown() throws -> String {
    do {
      return try guide.output.next("a change of the guide's screen")
    } catch {
      guide.signal(SIGKILL)
      throw TimeoutError("\(error)\n\(try guide.log.all().joined(separator: "\n"))")
    }
  }

  struct Picture {
    var width: Int, height: Int
    var colours: Int
    /// The number of pixels in a strong colour.
    var strong: Int
  }

  /// Takes a screenshot that differs from all earlier ones.
  func picture(_ name: String) throws -> Picture {
    let path = pictures.appendingPathComponent("gallery-guide-\(name).png").path
    let line = try RunningProgram.result(
      Programs.python, [Programs.peer("screenshot.py"), stage.folder.file("Xvfb_screen0"), path] + taken)
    taken.append(path)
    print("the gallery guide, \(name): \(path)")
    let numbers = line.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 4 else { throw TimeoutError("no figures in \"\(line)\"") }
    return Picture(width: numbers[0], height: numbers[1], colours: numbers[2], strong: numbers[3])
  }
}
