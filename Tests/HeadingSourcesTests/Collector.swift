import EventLoop
import Glibc
import Headings
import Instants
import Locations
import Motion
import Orientation
import Records
import TestSupport

@testable import HeadingSources

/// Collects the fields and accelerations that a source of buffers delivers.
final class Collector {
  var fields: [(value: SpaceVector, time: Instant)] = []
  var accelerations: [SpaceVector] = []
  let source: IIOSource
  let loop: Loop

  init(_ device: BufferedDevice, _ shared: MachineSensors = MachineSensors()) throws {
    loop = try Loop()
    source = IIOSource(loop, root: device.root, characterDevices: device.characterDevices, interval: .milliseconds(5), shared: shared)
    source.onMeasurement = { [unowned self] measurement, time in
      switch measurement {
      case .field(let field): fields.append((field, time))
      case .acceleration(let acceleration): accelerations.append(acceleration)
      default: break
      }
    }
  }

  /// Starts the source, and returns when its buffer is open.
  func start(_ device: BufferedDevice) throws {
    source.start()
    try loop.wait { device.text("buffer/enable") == "1" }
  }
}
