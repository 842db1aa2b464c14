import ConfigurationTree
import Headings

/// The source of headings, and the way in which it is mounted.
public struct HeadingSettings: Hashable, Sendable {
  public enum Source: String, CaseIterable, Sendable {
    /// A magnetometer of this machine, or else a receiver's compass that was heard, or else iio-sensor-proxy.
    case auto
    case off
    /// A magnetometer that the kernel supports.
    case iio
    /// The compass of a receiver in `[location]`.
    case receiver
    /// The compass of iio-sensor-proxy, with magnetic headings only.
    case sensorProxy = "iio-sensor-proxy"
    /// A recording of sensors.
    case capture
    /// A simulated device.
    case simulator
  }

  public var source = Source.auto
  /// The direction that points forward, in degrees clockwise from the top edge of the device.
  public var mountAngle = 0.0
  /// The sign of the accelerometers that the kernel supports.
  public var accelerationSign = AccelerationSign.auto
  /// The path of the recording, for the source `capture`.
  public var capture: String?

  public init(source: Source = .auto, mountAngle: Double = 0, accelerationSign: AccelerationSign = .auto, capture: String? = nil) {
    (self.source, self.mountAngle, self.accelerationSign, self.capture) = (source, mountAngle, accelerationSign, capture)
  }

  /// The orientation of clients that request none.
  public var orientation: DeviceOrientation { mountAngle == 0 ? .portrait : .mounted(degrees: mountAngle) }
}

extension ConfigurationReader {
  static func heading(_ table: consuming TableReader) -> HeadingSettings {
    var settings = HeadingSettings()
    if let source = table.read("source", as: .headingSource, default: .text(settings.source.rawValue)) { settings.source = source }
    if let angle = table.read("mount-angle", as: .number(HeadingRequest.mountAngles), default: .number(settings.mountAngle)) {
      settings.mountAngle = angle
    }
    if let sign = table.read("acceleration-sign", as: .accelerationSign, default: .text(settings.accelerationSign.rawValue)) {
      settings.accelerationSign = sign
    }
    settings.capture = table.read("capture", as: .recording("capture", example: "walk.jsonl"))
    if let path = settings.capture { table.refer("capture", to: .sensorRecording(path)) }
    if settings.source == .capture, !table.has("capture") {
      table.report("source", "requires a recording; write capture = \"walk.jsonl\"")
    } else if settings.source != .capture, table.has("capture") {
      table.report("capture", "has no effect; write source = \"capture\", or remove it")
    }
    table.finish()
    return settings
  }
}

extension ValueDecoder where Value == HeadingSettings.Source {
  fileprivate static var headingSource: ValueDecoder {
    ValueDecoder(.choice(Value.allCases.map(\.rawValue))) { node throws(DecodingIssue) in
      try ValueDecoder.choice(of: "source of headings").decode(node)
    }
  }
}

extension ValueDecoder where Value == AccelerationSign {
  fileprivate static var accelerationSign: ValueDecoder {
    ValueDecoder(.choice(Value.allCases.map(\.rawValue))) { node throws(DecodingIssue) in
      try ValueDecoder.choice(of: "sign of accelerations").decode(node)
    }
  }
}
