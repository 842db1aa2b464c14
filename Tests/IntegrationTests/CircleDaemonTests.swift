import Foundation
import TestSupport
import Testing

/// Circles of the config in a running daemon, with a receiver that the test moves.
@Suite struct CircleDaemonTests {
  private static let square = CircleScene.circle("square", 52.52, 13.405, radius: 200)

  @Test func `a visit to a circle is reported with the deciding fix, and the journal has the same events`() throws {
    let scene = try CircleScene(CircleScene.circle("square", 52.52, 13.405, radius: 200, "dwell = \"1m\""))
    #expect(try scene.region("Note", of: "square") == "no location source has a fix; see [location] in the config")
    try scene.stand(52.53, 13.405)
    #expect(scene.told == ["state outside fix"])
    let setOut = scene.traveller.now
    try scene.stand(52.5201, 13.405)
    let arrival = scene.traveller.now
    try scene.pass(10)
    #expect(scene.told.count == 1)
    try scene.pass(11)
    #expect(scene.told.dropFirst() == ["enter inside approach"])
    let enter = try #require(scene.client.signals.last?.details)
    #expect(enter["location"]?["latitude"] == 52.5201 && enter["location"]?["horizontalAccuracy"] == 5.02)
    #expect(enter["boundaryDistance"]?.number.map { abs($0 + 188.87) < 0.1 } == true)
    #expect(enter["reason"]?["threshold"] == 200 && enter["reason"]?["hold"] == "20s")
    let (time, fixTime) = (enter["time"]?.number ?? 0, enter["reason"]?["fixTime"]?.number ?? 0)
    // The enter comes twenty seconds after the first fix; the deciding fix may be a little later.
    #expect(time > setOut + 20e6 && time < arrival + 21e6)
    #expect(abs((enter["reason"]?["fixAge"]?.number ?? 0) * 1e6 - (time - fixTime)) < 1000)
    #expect(enter["clockSynchronised"] == true && enter["durable"] == true)
    try scene.pass(61)
    #expect(scene.told.dropFirst(2) == ["dwell inside stay"])
    #expect(scene.client.signals.last?.details?["reason"]?["dwell"] == "1m")
    // The position is beyond the boundary, and not yet beyond the buffer.
    try scene.stand(52.5219, 13.405)
    try scene.pass(40)
    #expect(scene.told.count == 3)
    try scene.stand(52.525, 13.405)
    try scene.pass(22)
    #expect(scene.told.dropFirst(3) == ["exit outside departure"])
    let exit = try #require(scene.client.signals.last?.details)
    #expect(exit["reason"]?["threshold"] == 220 && exit["location"]?["latitude"] == 52.525)
    try scene.pass(300)
    #expect(scene.told.dropFirst(4) == ["state unknown locationLost"])
    #expect(try scene.region("State", of: "square") == "unknown")
    try scene.stand(52.525, 13.405)
    #expect(scene.told.dropFirst(5) == ["state outside fix"])
    #expect(try scene.journal() == scene.client.signals.compactMap(\.details))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a daemon that is killed repeatedly during a walk loses and repeats no enter or exit`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("walk seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let scene = try CircleScene(Self.square)
    try scene.stand(52.53, 13.405)
    let visits = 8
    for half in 0..<(2 * visits) {
      let latitude = half % 2 == 0 ? 52.52 : 52.53
      // The device stays for sixty seconds, during which the daemon may be killed.
      let end = Int.random(in: 0..<60, using: &random)
      var second = 0
      while second < 60 {
        let step = Int.random(in: 1...9, using: &random)
        try scene.stand(latitude, 13.405)
        if (second..<(second + step)).contains(end) { try scene.replaceDaemon(SIGKILL) }
        try scene.pass(Double(step))
        second += step + 1
      }
      try scene.stand(latitude, 13.405)
      try scene.pass(22)
    }
    let events = try scene.journal()
    #expect(events.map { $0["sequence"]?.number } == (1...max(1, events.count)).map { Double($0) }, "seed \(seed)")
    let crossings = events.compactMap { $0["event"]?.text }.filter { $0 != "state" }
    #expect(crossings == (0..<visits).flatMap { _ in ["enter", "exit"] }, "seed \(seed)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a fix from before the machine's sleep causes no event after it, although its clock stood still`() throws {
    let scene = try CircleScene(Self.square)
    try scene.stand(52.52, 13.405)
    try scene.pass(22)
    #expect(scene.told == ["enter inside approach"])
    scene.traveller.sleep(3600)
    // Half a minute without a fix, after which no source knows the location.
    try scene.pass(32)
    #expect(scene.told.dropFirst() == ["state unknown locationLost"])
    try scene.stand(52.52, 13.405)
    #expect(scene.told.dropFirst(2) == ["state inside fix"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `two fixes on either side of a small circle cause a crossing and no change of state`() throws {
    let scene = try CircleScene(CircleScene.circle("kiosk", 52.52, 13.405, radius: 30))
    try scene.stand(52.52, 13.4)
    try scene.stand(52.52, 13.41)
    #expect(scene.told == ["state outside fix", "cross outside passage"])
    let cross = try #require(scene.client.signals.last?.details)
    #expect(cross["location"]?["longitude"] == 13.41 && cross["reason"]?["threshold"] == 30)
    #expect(try scene.region("State", of: "kiosk") == "outside")
    // A way around the circle does not cross it.
    try scene.stand(52.525, 13.41)
    try scene.stand(52.525, 13.4)
    try scene.pass(25)
    #expect(scene.told.count == 2)
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: [(0.0, 180.0, 0.0, -179.999), (-16.5, -179.9995, -16.5, 179.9995), (89.9999, 0, 89.9995, 180)])
  func `a circle over the antimeridian or a pole is entered from either side`(
    latitude: Double, longitude: Double, hereLatitude: Double, hereLongitude: Double
  ) throws {
    let scene = try CircleScene(CircleScene.circle("line", latitude, longitude, radius: 300))
    try scene.stand(latitude - 0.1, longitude)
    try scene.stand(hereLatitude, hereLongitude)
    try scene.pass(22)
    #expect(scene.told == ["state outside fix", "enter inside approach"])
    let boundary = try #require(scene.client.signals.last?.details?["boundaryDistance"]?.number)
    #expect(boundary < -180 && boundary > -300)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `status names a radius that is too small for the fixes, and such fixes change nothing`() throws {
    let scene = try CircleScene(
      CircleScene.circle("square", 52.52, 13.405, radius: 200) + CircleScene.circle("kiosk", 52.52, 13.405, radius: 80)
        + CircleScene.circle("door", 52.52, 13.405, radius: 40))
    // The accuracy is ten times five metres, as Wi-Fi has at best.
    try scene.stand(52.52, 13.405, hdop: 10)
    try scene.pass(22)
    #expect(try ["square", "kiosk", "door"].map { try scene.region("State", of: $0) } == ["inside", "inside", "unknown"])
    let status = try CommandLine(["status", "--bus", scene.stage.bus.address]).output
    #expect(status.contains { $0.hasSuffix("a radius of 80 m is small for fixes of ± 51 m; use at least 101 m") }, "\(status)")
    #expect(
      status.contains {
        $0.hasSuffix(
          "fixes of ± 51 m are too inaccurate for a radius of 40 m and have no effect; increase the radius, or add a more accurate source")
      }, "\(status)")
    #expect(try scene.region("Note", of: "square") == nil)
    scene.daemon.signal(SIGTERM)
  }
}
