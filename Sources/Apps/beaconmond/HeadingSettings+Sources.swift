import EventLoop
import HeadingSources
import MonitorConfiguration
import Orientation
import Positioning

extension HeadingSettings {
  /// Returns the configured sources, all of them stopped, the preferred one first.
  func sources(_ loop: Loop, _ positioning: PositioningService) -> [any HeadingSource] {
    switch source {
    case .off: []
    case .iio: [Self.sensors(loop)]
    case .receiver: [ReceiverCompass(positioning, isConfigured: true) { loop.now }]
    case .auto: [Self.sensors(loop), ReceiverCompass(positioning, isConfigured: false) { loop.now }]
    }
  }

  private static func sensors(_ loop: Loop) -> IIOSource {
    guard let root = testRoot else { return IIOSource(loop) }
    return IIOSource(loop, root: root)
  }

  /// The folder of devices that a test supplies, because sysfs cannot be imitated without privileges.
  fileprivate static var testRoot: String? { ChildCommand.ownEnvironment()["BEACONMON_IIO"] }
}

extension IIOMotionSensors {
  /// Returns the sensors of this machine, or of the test's folder.
  static func ofMachine(_ loop: Loop) -> IIOMotionSensors {
    guard let root = HeadingSettings.testRoot else { return IIOMotionSensors(loop) }
    return IIOMotionSensors(loop, root: root)
  }
}
