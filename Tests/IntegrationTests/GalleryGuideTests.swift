import Foundation
import TestSupport
import Testing

/// Docs/examples/gallery-guide on a real walk. This test takes the pictures of its README.
@Suite struct GalleryGuideTests {
  private let scene: GuideScene
  private var walk: WalkRecords

  init() throws {
    scene = try GuideScene()
    walk = try WalkRecords(path: Stage.walk)
    #expect(try scene.shown() == Self.resting)
  }

  private static let resting =
    "The guide is resting | The beacon service of this device is not running. As soon as it is, the guide goes on by itself."

  /// Starts a daemon with the first sightings of the walk. Its time advances only with further sightings.
  private mutating func begin(config text: String = "") throws -> (daemon: RunningProgram, feed: CaptureFeed) {
    walk = try WalkRecords(path: Stage.walk)
    let feed = try CaptureFeed(scene.stage, named: "feed-\(UUID())", header: walk.header)
    try feed.write(walk.through(second: 0))
    let config = try scene.stage.file("config.toml", text)
    return (try scene.stage.daemon(config: config, source: feed.path), feed)
  }

  private func expectToWait() throws {
    #expect(try scene.shown().hasPrefix("One moment"))
    #expect(try scene.shown().hasPrefix("Walk up to an exhibit"))
  }

  private func privacy(_ arguments: String...) throws {
    _ = try RunningProgram.result(Programs.commandLine, ["privacy"] + arguments + ["--bus", scene.stage.bus.address])
  }

  @Test mutating func `the guide shows the visitor's exhibit, and states why it cannot or may not`() throws {
    let away = try scene.picture("away")
    let (daemon, feed) = try begin()
    try expectToWait()
    let waiting = try scene.picture("nothing-near")

    // After 41 s the visitor has stood 1.5 m from the fourth exhibit for a while, by the fixture's truth.
    try feed.write(walk.through(second: 41))
    var story = ""
    let before = try (0..<5).map { _ in
      story = try scene.shown()
      return story.prefix { $0 != " " }
    }
    #expect(before == ["10", "11", "2", "1", "4"])
    #expect(story.hasPrefix("4 | Marine chronometer | Brass, mahogany and steel, about 1840 | A clock that finds a place. "))
    #expect(story.hasSuffix(" it is wound at the same hour each day."))
    let exhibit = try scene.picture("exhibit")

    try privacy("revoke", "\(getuid())")
    #expect(
      try scene.shown()
        == "The guide may not know where you are | Denied for this user; an administrator can permit it with `beaconmon privacy grant USER`. Once it is allowed, the guide goes on by itself."
    )
    let denied = try scene.picture("denied")

    for picture in [away, waiting, exhibit, denied] {
      #expect((picture.width, picture.height) == GuideScene.size)
      // The picture shows text on a page, and neither one colour nor noise.
      #expect(30..<3000 ~= picture.colours)
    }
    // Only the number is in colour, so the right picture is shown.
    #expect(exhibit.strong > 300)
    #expect([away, waiting, denied].allSatisfy { $0.strong == 0 })
    daemon.signal(SIGTERM)
  }

  @Test mutating func `the guide holds an exhibit steadily on the whole walk, and reports when the receiver falls silent`() throws {
    let (daemon, feed) = try begin()
    try expectToWait()
    try feed.write(walk.through(second: .infinity))
    let shown = try (0..<11).map { _ in try scene.shown().prefix { $0 != " " } }
    // The order follows the truth, in which two exhibits are near the path between others.
    #expect(shown == ["10", "11", "2", "1", "4", "6", "4", "7", "Walk", "11", "10"])
    #expect(try scene.shown().hasPrefix("No beacon can be heard"))
    daemon.signal(SIGTERM)
  }

  @Test mutating func `the guide takes the titles of exhibits from the venue of the daemon`() throws {
    let venue = Programs.repository("Docs/examples/venues/gallery.toml")
    let (daemon, feed) = try begin(config: "venues = [\"\(venue)\"]\nlanguage = \"de\"\n")
    try expectToWait()
    try feed.write(walk.through(second: 5))
    let shown = try scene.shown()
    // The texts stay those of exhibits.toml.
    #expect(shown.hasPrefix("10 | Funkfeuer | "), "\(shown)")
    #expect(shown.contains("| Steel and ceramics, about 1935 | "), "\(shown)")
    daemon.signal(SIGTERM)
  }

  @Test mutating func `on a German desktop the words, titles and texts of the guide are in German`() throws {
    let venue = Programs.repository("Docs/examples/venues/gallery.toml")
    let scene = try GuideScene(language: "de")
    #expect(try scene.shown().hasPrefix("Der Galerieführer ruht | "))
    walk = try WalkRecords(path: Stage.walk)
    let feed = try CaptureFeed(scene.stage, named: "feed-\(UUID())", header: walk.header)
    try feed.write(walk.through(second: 0))
    let config = try scene.stage.file("config.toml", "venues = [\"\(venue)\"]\n")
    let daemon = try scene.stage.daemon(config: config, source: feed.path)
    #expect(try scene.shown().hasPrefix("Einen Moment | "))
    #expect(try scene.shown().hasPrefix("Gehen Sie zu einem Exponat | "))
    try feed.write(walk.through(second: 5))
    #expect(try scene.shown() == "10 | Funkfeuer | Stahl und Keramik, um 1935 | Es sagt immer wieder nur eines: seinen Namen.")
    daemon.signal(SIGTERM)
  }

  @Test func `the guide's own tests pass, with those of its window`() throws {
    let folder = Programs.repository("Docs/examples/gallery-guide")
    let run = try RunningProgram(
      "/bin/sh", ["-c", "cd \(folder) && exec python3 -m unittest"], environment: Programs.onPath.merging(scene.environment) { a, _ in a })
    // A skipped test would be named behind the word.
    #expect(try run.log.all().last == "OK")
    #expect(try run.exitStatus() == 0)
  }

  @Test mutating func `the guide leads to an exhibit, and reports the arrival`() throws {
    let venue = Programs.repository("Docs/examples/venues/gallery.toml")
    let scene = try GuideScene(["--to", "4"])
    #expect(try scene.shown() == Self.resting)
    walk = try WalkRecords(path: Stage.walk)
    let feed = try CaptureFeed(scene.stage, named: "feed-\(UUID())", header: walk.header)
    try feed.write(walk.through(second: 3))
    let config = try scene.stage.file("config.toml", "venues = [\"\(venue)\"]\n")
    let daemon = try scene.stage.daemon(config: config, source: feed.path)
    var line = try scene.shown()
    for step in 1...80 {
      try feed.write(walk.through(second: 3 + Double(step) / 2))
      usleep(100_000)  // Guidance that is refused begins again after three seconds, and needs packets then.
    }
    // Until the device has a position, the guide tries again.
    while !line.hasPrefix("Way | ") || !line.contains(" metres, ") { line = try scene.shown() }
    #expect(line.contains("Move forward"), "\(line)")
    while !line.contains("You have arrived: Marine chronometer") { line = try scene.shown() }
    let picture = try scene.picture("way")
    #expect((picture.width, picture.height) == GuideScene.size)
    daemon.signal(SIGTERM)
  }

  @Test mutating func `the guide continues by itself with consent, with the daemon and with the bus`() throws {
    let (daemon, feed) = try begin()
    try expectToWait()

    try privacy("off")
    #expect(try scene.shown().contains("switch them on with `beaconmon privacy on`"))
    try privacy("on")
    try expectToWait()

    daemon.signal(SIGTERM)
    #expect(try scene.shown() == Self.resting)
    let second = try begin()
    try expectToWait()

    scene.stage.bus.kill()
    #expect(try scene.shown() == Self.resting)
    try scene.stage.bus.restart()
    try expectToWait()
    try second.feed.write(walk.through(second: 5))
    #expect(try scene.shown().hasPrefix("10 | Radio beacon"))
    withExtendedLifetime(feed) {}
    second.daemon.signal(SIGTERM)
  }
}
