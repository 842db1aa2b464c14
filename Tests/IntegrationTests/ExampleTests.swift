import Foundation
import TestSupport
import Testing

/// The examples of Docs/examples, run as a reader would run them.
@Suite struct ExampleTests {
  private func example(_ name: String) -> String { Programs.repository("Docs/examples/nearest/\(name)") }

  /// Starts a daemon on a bus that the examples use as the system bus.
  private func scene() throws -> (stage: Stage, listener: BusClient, feed: CaptureFeed, daemon: RunningProgram) {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Stage.hall), source: feed.path)
    try listener.waitForDaemon()
    return (stage, listener, feed, daemon)
  }

  /// Runs an example until it prints the nearest beacon.
  private func followsTheNearest(_ program: String, _ arguments: [String] = []) throws {
    let (stage, _, feed, daemon) = try scene()
    try feed.hear(minor: 3, at: 0)
    let run = try RunningProgram(program, arguments, environment: ["DBUS_SYSTEM_BUS_ADDRESS": stage.bus.address])
    for second in 1...5 { try feed.hear(minor: 3, at: Double(second), rssi: -50) }
    #expect(try run.output.next("the beacon") { $0 == "1/3 immediate" } == "1/3 immediate")
    run.signal(SIGTERM)
    daemon.signal(SIGTERM)
  }

  @Test(arguments: ["nearest.py", "nearest_asyncio.py", "nearest.js"])
  func `a script shows the nearest beacon`(name: String) throws {
    try followsTheNearest(example(name), [CaptureOctets.uuid])
  }

  @Test func `a script follows a region of the config by its identifier`() throws {
    let (stage, _, feed, daemon) = try scene()
    try feed.hear(minor: 3, at: 0)
    let run = try RunningProgram(example("region.py"), ["hall"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": stage.bus.address])
    #expect(try run.output.next("the state") == "hall is inside")
    try feed.hear(minor: 3, at: 100)
    #expect(try [run.output.next("an exit"), run.output.next("an enter")] == ["exit hall", "enter hall"])
    run.signal(SIGTERM)
    daemon.signal(SIGTERM)
  }

  @Test func `the Swift example shows the nearest beacon`() throws {
    try followsTheNearest(Programs.unshipped("nearest"), [CaptureOctets.uuid])
  }

  @Test func `the panorama moves each peak to the left while the camera turns to the right, across north`() throws {
    let frames = try CommandLine(program: Programs.unshipped("panorama"), ["340", "370", "10"]).output
    #expect(frames.count == 4 * 12 && frames.allSatisfy { $0.count == 64 })
    let places = stride(from: 0, to: frames.count, by: 12).map { start in
      frames[start..<(start + 12)].lazy.compactMap { line in
        line.firstRange(of: "Northhorn").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
      }.first
    }
    let columns = places.compactMap(\.self)
    #expect(columns.count == 4 && zip(columns, columns.dropFirst()).allSatisfy { $0 > $1 }, "\(places)")
    #expect(frames.filter { $0.contains("\u{B0}") }.count == 4 && frames[23].contains("350"))
  }

  @Test func `the tests of the compass pass`() throws {
    let folder = Programs.repository("Docs/examples/compass")
    let run = try RunningProgram(Programs.python, ["-m", "unittest", "discover", folder], environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    _ = try run.log.all()
    #expect(try run.exitStatus() == 0)
  }

  @Test(arguments: [[Programs.repository("Docs/examples/here/here.py")], [Programs.unshipped("here")]])
  func `an example shows the location, and a place that the device reaches and leaves`(command: [String]) throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config, speed: "max")
    try scene.feed.hear(at: 0)
    let run = try RunningProgram(
      command[0], ["52.52", "13.405"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": scene.stage.bus.address])
    try wait(for: "the source to be on") { try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == true }
    let calls: [(latitude: Double, line: String)] = [
      (52.526, "52.52600 13.40500 ± 5 m"), (52.5201, "enter the place"), (52.526, "exit the place"),
    ]
    for (step, call) in calls.enumerated() {
      try receiver.say(call.latitude, 13.405, until: scene.client)
      // The steps are longer than a hold.
      try scene.feed.hear(at: 30 * Double(step + 1))
      _ = try run.output.next(call.line) { $0 == call.line }
    }
    run.signal(SIGTERM)
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: [[Programs.repository("Docs/examples/here/here.py")], [Programs.unshipped("here")]])
  func `an example on a device without a source prints the reason`(command: [String]) throws {
    let scene = try LocationScene("")
    let run = try RunningProgram(
      command[0], ["52.52", "13.405"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": scene.stage.bus.address])
    let reader = command[0].hasSuffix(".py") ? run.log : run.output
    _ = try reader.next("the reason") { $0 == "this device has no location source; add one to [location] in beaconmon.toml" }
    run.signal(SIGTERM)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the package of the guide to desktop apps finds the library, and its program compiles`() throws {
    let guide = try String(contentsOfFile: Programs.repository("Docs/guides/desktop-app.md"), encoding: .utf8)
    let files = guide.matches(of: /(?s)```swift\n(.*?)```/).map { String($0.output.1) }
    #expect(files.count == 2)
    // The package lies beside a checkout of this name, as the guide describes.
    let folder = try TemporaryDirectory()
    let package = folder.file("guide")
    try FileManager.default.createSymbolicLink(atPath: folder.file("beaconmon"), withDestinationPath: Programs.repository(""))
    try FileManager.default.createDirectory(atPath: "\(package)/Sources/guide", withIntermediateDirectories: true)
    try Data(files[0].utf8).write(to: URL(fileURLWithPath: "\(package)/Package.swift"))
    try Data(files[1].utf8).write(to: URL(fileURLWithPath: "\(package)/Sources/guide/main.swift"))
    // The command fails if no package of that name has such a product.
    let tree = try RunningProgram.result("/bin/sh", ["-c", "cd \(package) && swift package --disable-sandbox show-dependencies"])
    #expect(tree.contains("beaconmon<"))
    // The library's modules are built already; another build takes minutes.
    let modules = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent(
      "Modules")
    let maps = try FileManager.default.contentsOfDirectory(atPath: Programs.repository("Sources/System")).flatMap {
      ["-Xcc", "-fmodule-map-file=\(Programs.repository("Sources/System/\($0)/module.modulemap"))"]
    }
    let headers =
      try RunningProgram.result("/usr/bin/pkg-config", ["--cflags", "dbus-1"]).split(separator: " ").map(String.init)
      + ["-I\(Programs.repository(".build/checkouts/swift-numerics/Sources/_NumericsShims/include"))"]
    _ = try RunningProgram.result(
      "/usr/bin/env",
      ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path] + maps
        + headers.flatMap { ["-Xcc", $0] } + ["\(package)/Sources/guide/main.swift"])
  }

  @Test func `the C example compiles as its first line says, and shows the nearest beacon`() throws {
    let folder = try TemporaryDirectory()
    let source = try String(contentsOfFile: example("nearest.c"), encoding: .utf8)
    let command = try #require(source.firstMatch(of: /cc -o nearest (nearest\.c .*) \*\//)?.output.1)
    try FileManager.default.copyItem(atPath: example("nearest.c"), toPath: folder.file("nearest.c"))
    _ = try RunningProgram.result("/bin/sh", ["-c", "cd \(folder.path) && cc -Wall -Werror -o nearest \(command)"])
    try followsTheNearest(folder.file("nearest"))
  }

  @Test func `the tests of an example pass at a simulated museum, as the first lines of the example say`() throws {
    let source = try String(contentsOfFile: example("test_nearest.py"), encoding: .utf8)
    let command = try #require(source.firstMatch(of: /\nbeaconmon-testbed (.*)\n/)?.output.1)
    let run = try RunningProgram(
      "/bin/sh", ["-c", "cd \(Programs.repository("Docs/examples/nearest")) && exec \(Programs.testbed) \(command)"],
      environment: Programs.onPath)
    let lines = try run.log.all(within: 120)
    #expect(lines.last == "OK", "\(lines.joined(separator: "\n"))")
    #expect(lines.contains { $0.hasPrefix("Ran 2 tests") })
    #expect(try run.exitStatus() == 0)
  }

  @Test func `the shell example shows the states and events of regions`() throws {
    let (stage, listener, feed, daemon) = try scene()
    let environment = ["DBUS_SYSTEM_BUS_ADDRESS": stage.bus.address]
    let run = try RunningProgram(example("regions.sh"), [], environment: environment)
    #expect(try run.output.next("the region") { $0.hasPrefix("hall") } == "hall s \"unknown\"")
    try listener.waitForRule(with: "path='/org/beaconmon/Monitor1'")
    try feed.hear(minor: 3, at: 0)
    try feed.hear(minor: 3, at: 1)
    _ = try listener.next("the event") { $0.name == "RegionEvent" }
    let event = try run.output.next("the event") { $0.contains("Manager.RegionEvent") }
    #expect(event.contains("'enter', objectpath '/org/beaconmon/Monitor1/region/hall'"))
    run.signal(SIGTERM)
    daemon.signal(SIGTERM)
  }
}
