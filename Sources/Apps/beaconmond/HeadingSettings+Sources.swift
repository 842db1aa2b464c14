import DBus
import EventLoop
import HeadingSources
import MonitorConfiguration
import Orientation
import Positioning

extension HeadingSettings {
  /// Returns the configured sources, all of them stopped, the preferred one first.
  ///
  /// - Parameters:
  ///   - shared: the properties that the sources of headings and of motion share.
  ///   - systemBus: returns a connection to the system bus; nil if there is none.
  ///   - speed: the multiple of the speed at which a recording plays; nil for as fast as possible.
  func sources(_ loop: Loop, _ positioning: PositioningService, _ shared: MachineSensors, systemBus: () -> DBusConnection?, speed: Double?)
    -> [any HeadingSource]
  {
    func compass(isConfigured: Bool) -> ReceiverCompass { ReceiverCompass(positioning, isConfigured: isConfigured, loop) }
    return switch source {
    case .off: []
    case .iio: [Self.sensors(loop, shared)]
    case .receiver: [compass(isConfigured: true)]
    case .sensorProxy: [SensorProxySource(loop, systemBus())]
    case .capture: capture.map { [RecordedSensors(loop, path: $0, speed: speed)] } ?? []
    case .simulator: [SimulatedSensors(loop, positioning)]
    case .auto: [Self.sensors(loop, shared), compass(isConfigured: false), SensorProxySource(loop, systemBus())]
    }
  }

  private static func sensors(_ loop: Loop, _ shared: MachineSensors) -> IIOSource {
    guard let root = testRoot else { return IIOSource(loop, shared: shared) }
    return IIOSource(loop, root: root, characterDevices: ChildCommand.ownEnvironment()["BEACONMON_IIO_DEVICES"] ?? "/dev", shared: shared)
  }

  /// The folder of devices that a test supplies, because sysfs cannot be imitated without privileges.
  fileprivate static var testRoot: String? { ChildCommand.ownEnvironment()["BEACONMON_IIO"] }
}

extension IIOMotionSensors {
  /// Returns the sensors of this machine, or of the test's folder.
  static func ofMachine(_ loop: Loop, _ shared: MachineSensors) -> IIOMotionSensors {
    guard let root = HeadingSettings.testRoot else { return IIOMotionSensors(loop, shared: shared) }
    return IIOMotionSensors(loop, root: root, shared: shared)
  }
}
