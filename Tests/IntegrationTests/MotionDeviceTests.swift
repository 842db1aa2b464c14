import Foundation
import Glibc
import TestSupport
import Testing

/// A daemon that reads the motion of the machine from sensors that umockdev imitates.
@Suite struct MotionDeviceTests {
  private static let start = (latitude: 52.52, longitude: 13.405)
  private static let degreesPerMetre = 1 / 111_200.0

  /// Returns the updates for positions that stray by 20 m in eight seconds, after eight seconds with the same motion.
  ///
  /// - Parameter shake: Each sample's deviation from gravity, in hundredths of m/s².
  private func updates(_ device: SensorTestbed.Device, shake: Int) throws -> Int {
    let testbed = try SensorTestbed([device])
    let (stage, receiver) = (try Stage(), Receiver())
    let client = try stage.listener()
    let daemon = try stage.radioDaemon(config: receiver.config, source: "none", environment: testbed.environment)
    try client.waitForDaemon()
    let session = try client.openSession()
    #expect(try client.updateLocation(["distanceFilter": 10], on: session) == .values([]))
    try receiver.say(Self.start.latitude, Self.start.longitude, until: client)
    let gravity = device.attributes["in_accel_z_raw"].flatMap { Int($0) } ?? 0
    for step in 0..<80 {
      for fifth in 0..<5 {
        let sign = (step * 5 + fifth) % 2 == 0 ? 1 : -1
        try testbed.measure("in_accel_z_raw", of: device, gravity + sign * shake)
        // The pace of a sensor with 25 samples a second, and of a receiver with five epochs.
        usleep(40_000)
      }
      let north = Double(max(0, step - 40)) / 2
      receiver.say(Self.start.latitude + north * Self.degreesPerMetre, Self.start.longitude, knots: nil)
    }
    try client.ping()
    daemon.signal(SIGTERM)
    return client.signals.count { $0.name == "LocationUpdated" } - 1
  }

  @Test(arguments: [SensorTestbed.Device.inertial, SensorTestbed.Device.hub[1]])
  func `a device at rest by its accelerometer does not follow positions that stray`(device: SensorTestbed.Device) throws {
    #expect(try updates(device, shake: 2) == 0)
  }

  @Test func `a device that is shaken follows its positions`() throws {
    #expect(try updates(.inertial, shake: 150) >= 1)
  }
}
