import EventLoop
import MonitorConfiguration
import Orientation
import Positioning

extension HeadingSettings {
  /// Returns the configured sources, all of them stopped, the preferred one first.
  func sources(_ loop: Loop, _ positioning: PositioningService) -> [any HeadingSource] {
    switch source {
    case .off, .iio, .proxy: []
    case .receiver: [ReceiverCompass(positioning, isConfigured: true) { loop.now }]
    case .auto: [ReceiverCompass(positioning, isConfigured: false) { loop.now }]
    }
  }
}
