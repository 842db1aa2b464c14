import Foundation
import Glibc
import Instants
import TestSupport
import Testing

/// A daemon that guides by an accelerometer, which umockdev imitates, and by the positions of gpsd.
@Suite struct GuidanceSensorTests {
  /// The motion of the device, by the samples of its accelerometer.
  private enum Carriage {
    /// Steps, 1.8 a second.
    case walk
    /// A device that is tilted in a hand.
    case handled

    /// The raw values in hundredths of m/s² along x and z.
    func sample(at seconds: Double) -> (x: Int, z: Int) {
      switch self {
      case .walk: (0, 981 + Int(250 * sin(2 * .pi * 1.8 * seconds)))
      case .handled: (Int(150 * sin(2 * .pi * 0.3 * seconds)), 981)
      }
    }
  }

  private static let greeting = """
    {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
    {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":"2026-11-21T04:21:19.268Z"}]}

    """
  private static let metre = (latitude: 1 / 111_200.0, longitude: 1 / (111_320 * 0.6673))
  /// The seconds for which the visitor walks to the east, and for which positions then stray to the west.
  private static let (walk, stray) = (14, 10)
  /// The pace of an accelerometer with 25 samples a second, in microseconds.
  private static let pace: UInt32 = 40_000

  private static func position(_ second: Int) -> String {
    let x = second < walk ? 2 + Double(second) : Double(2 * walk - second)
    let time = Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1e6)).rfc3339
    return """
      {"class":"TPV","device":"/dev/a","mode":3,"time":"\(time)","lat":\(48.137 + 5 * metre.latitude),\
      "lon":\(11.575 + x * metre.longitude),"alt":500.0,"eph":4.9,"epv":9.0,"track":\(second < walk ? 90.0 : 270.0),"epd":10.0,\
      "speed":1.0}

      """
  }

  /// Returns the reasons of the routes that a client gets.
  private func routes(_ begin: Carriage, then end: Carriage) throws -> [String?] {
    let device = SensorTestbed.Device.inertial
    let (testbed, stage, port) = (try SensorTestbed([device]), try Stage(), try freePort())
    _ = try stage.file("hall.toml", GuidanceMotionPlaybackTests.venue)
    let receiver = try RunningProgram(Programs.python, [Programs.peer("line_server.py"), "\(port)"])
    _ = try receiver.output.next("the receiver") { $0 == "ready" }
    let client = try stage.listener()
    let daemon = try stage.radioDaemon(
      config: "venues = [\"hall.toml\"]\n[location.gpsd]\naddress = \"127.0.0.1:\(port)\"\n", source: "none",
      environment: testbed.environment)
    try client.waitForDaemon()
    let session = try client.openSession()
    let reply = try client.call(BusClient.session, "StartGuidance", at: session, signature: "a{sv}", ["place": "clock"])
    #expect(reply == .values([]))
    _ = try receiver.output.next("the daemon") { $0 == "connected" }
    try receiver.input.write(contentsOf: Data(Self.greeting.utf8))
    let start = Date()
    for second in 0..<Self.walk + Self.stray {
      try receiver.input.write(contentsOf: Data(Self.position(second).utf8))
      while Date().timeIntervalSince(start) < Double(second + 1) {
        let sample = (second < Self.walk ? begin : end).sample(at: Date().timeIntervalSince(start))
        try testbed.measure("in_accel_x_raw", of: device, sample.x)
        try testbed.measure("in_accel_z_raw", of: device, sample.z)
        // The pace of the sensor. A sample that comes late is one of its own time.
        usleep(Self.pace)
      }
    }
    try client.ping()
    daemon.signal(SIGTERM)
    return client.signals.filter { $0.name == "GuidanceRouteChanged" }.map { $0.arguments[0]["reason"]?.text }
  }

  @Test func `a visitor whose accelerometer counts no more steps gets no other route when the positions stray`() throws {
    #expect(try routes(.walk, then: .handled) == ["start"])
  }

  @Test func `a visitor whose steps go on while the positions turn back gets another route`() throws {
    #expect(try routes(.walk, then: .walk).prefix(2) == ["start", "rerouted"])
  }

  @Test func `a visitor whose device has counted no steps may walk without them`() throws {
    #expect(try routes(.handled, then: .handled).prefix(2) == ["start", "rerouted"])
  }
}
