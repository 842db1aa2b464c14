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

  /// A test supplies the folder of devices, because sysfs cannot be imitated without privileges.
  private static func sensors(_ loop: Loop) -> IIOSource {
    guard let root = ChildCommand.ownEnvironment()["BEACONMON_IIO"] else { return IIOSource(loop) }
    return IIOSource(loop, root: root)
  }
}
