import Headings
import Instants
import Locations
import Records

/// A measurement of a recording of heading sensors, with its time since the beginning of the recording.
public struct RecordedSample: Hashable, Sendable {
  public enum Measurement: Hashable, Sendable {
    /// m/s² in the frame of the device; a device that rests face up reports +9.8 for z.
    case acceleration(SpaceVector)
    /// Radians per second about the axes of the device.
    case rotation(SpaceVector)
    /// The magnetic field in µT in the frame of the device, uncorrected.
    case field(SpaceVector)
    /// The heading that a compass has computed.
    case heading(HeadingReading)
  }

  public let time: Span
  public let measurement: Measurement

  public init(at time: Span, _ measurement: Measurement) {
    (self.time, self.measurement) = (time, measurement)
  }
}

/// The first line of a recording.
public struct SensorRecordingHeader: Hashable, Sendable {
  /// The name of the device, under which its calibration is stored; nil if unknown.
  public var device: String?
  public var hasAccelerometer: Bool

  public init(device: String?, hasAccelerometer: Bool) {
    (self.device, self.hasAccelerometer) = (device, hasAccelerometer)
  }
}

/// The text of a recording of heading sensors: one JSON object on each line.
///
/// The first line is the header; each other line has a `time` in seconds, the name of its `sensor`, and values:
///
///     {"format":"beaconmon-sensors","version":1,"device":"ak8975 1-000c","accelerometer":true}
///     {"time":0.040000,"sensor":"acceleration","x":0.012000,"y":-0.100000,"z":9.810000}
///     {"time":0.041000,"sensor":"field","x":18.300000,"y":-3.150000,"z":-40.800000}
public enum SensorRecordingText {
  static let format = "beaconmon-sensors"
  static let version = 1.0
  /// The microseconds of the clock, and 1e-6 of each unit, which is finer than the steps of every sensor.
  private static let decimals = 6

  public static func line(_ header: SensorRecordingHeader) -> String {
    Record([
      "format": .text(format), "version": .count(UInt64(version)), "device": header.device.map { .text($0) },
      "accelerometer": .flag(header.hasAccelerometer),
    ]).json + "\n"
  }

  public static func line(_ sample: RecordedSample) -> String {
    var record = Record(["time": number(sample.time.seconds)])
    func add(_ sensor: String, _ vector: SpaceVector) {
      record.append("sensor", .text(sensor))
      record.append("x", number(vector.x))
      record.append("y", number(vector.y))
      record.append("z", number(vector.z))
    }
    switch sample.measurement {
    case .acceleration(let vector): add("acceleration", vector)
    case .rotation(let vector): add("rotation", vector)
    case .field(let vector): add("field", vector)
    case .heading(let reading):
      record.append("sensor", .text("compass"))
      record.append("magneticHeading", reading.magneticHeading.map(number))
      record.append("trueHeading", reading.trueHeading.map(number))
      record.append("variation", reading.variation.map(number))
    }
    return record.json + "\n"
  }

  private static func number(_ value: Double) -> RecordValue { .quantity(value, decimals: decimals) }
}

/// The error in a line of a recording.
public enum SensorRecordingFault: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// The line is longer than any sample.
  case length
  /// The line is not a JSON object.
  case json
  /// A value is missing, is not a number, or is out of range.
  case field
  /// The time goes back, or ahead by more than `SensorRecordingDecoder.longestGap`.
  case time
}

/// Decodes a recording of heading sensors, in chunks of any size.
///
/// A line with an error is counted and skipped. The times of the samples never decrease.
public struct SensorRecordingDecoder: Sendable {
  private static let longestLine = 4096
  /// The number of lines without a sample after which the file is taken for another one.
  private static let mostStrange = 100
  /// Sensors send several times a second, so a longer gap is an error of the file.
  public static let longestGap = Span.seconds(60)
  /// µT, m/s² and rad/s: no sensor has a wider range.
  private static let largest = 1e6

  public private(set) var counts = LineCounts<SensorRecordingFault>()
  /// The header; nil before it was read, and in a file without one.
  public private(set) var header: SensorRecordingHeader?
  private var cutter = LineCutter(longest: longestLine)
  /// The latest time in the file, and the time of the latest sample as the decoder reports it.
  private var latest: Span?
  private var played = Span.zero

  public init() {}

  /// Whether the input is certainly another kind of file.
  public var isStrange: Bool { counts.used == 0 && counts.lines >= Self.mostStrange }

  public mutating func decode(_ octets: some RandomAccessCollection<UInt8>, into samples: inout [RecordedSample]) {
    let lines = cutter.lines(in: octets)
    counts.note(.length, total: cutter.tooLong)
    for line in lines {
      do throws(SensorRecordingFault) {
        if let sample = try sample(in: line) { samples.append(sample) }
        counts.noteUsed()
      } catch {
        counts.note(error)
      }
    }
  }

  /// Decodes a last line that has no end.
  public mutating func finish(into samples: inout [RecordedSample]) { decode([UInt8(ascii: "\n")], into: &samples) }

  /// Returns nil for a header.
  private mutating func sample(in line: [UInt8]) throws(SensorRecordingFault) -> RecordedSample? {
    guard let text = String(validating: line, as: UTF8.self) else { throw .json }
    let record: Record
    do throws(JSONError) { record = try Record(json: text) } catch { throw .json }
    if record["format"] != nil {
      guard record["format"]?.text == SensorRecordingText.format, record["version"]?.number == SensorRecordingText.version else {
        throw .field
      }
      header = SensorRecordingHeader(device: record["device"]?.text, hasAccelerometer: record["accelerometer"] == .flag(true))
      return nil
    }
    let measurement = try measurement(of: record)
    return RecordedSample(at: try time(of: record), measurement)
  }

  /// Returns the time without the error of a line before, so that one wrong time costs at most two samples.
  private mutating func time(of record: Record) throws(SensorRecordingFault) -> Span {
    guard let seconds = record["time"]?.number, abs(seconds) < 1e12 else { throw .field }
    let time = Span(microseconds: Int64((seconds * 1e6).rounded()))
    defer { latest = time }
    guard let latest else { return played }
    let gap = time - latest
    guard gap >= .zero, gap <= Self.longestGap else { throw .time }
    played = played + gap
    return played
  }

  private func measurement(of record: Record) throws(SensorRecordingFault) -> RecordedSample.Measurement {
    switch record["sensor"]?.text {
    case "acceleration": return .acceleration(try vector(of: record))
    case "rotation": return .rotation(try vector(of: record))
    case "field": return .field(try vector(of: record))
    case "compass":
      let reading = HeadingReading(
        trueHeading: try number("trueHeading", of: record), magneticHeading: try number("magneticHeading", of: record),
        variation: try number("variation", of: record))
      guard let reading else { throw .field }
      return .heading(reading)
    default: throw .field
    }
  }

  private func vector(of record: Record) throws(SensorRecordingFault) -> SpaceVector {
    guard let x = try number("x", of: record), let y = try number("y", of: record), let z = try number("z", of: record) else {
      throw .field
    }
    return SpaceVector(x, y, z)
  }

  /// Returns nil for an absent value.
  private func number(_ key: String, of record: Record) throws(SensorRecordingFault) -> Double? {
    guard let value = record[key] else { return nil }
    guard let number = value.number, abs(number) <= Self.largest else { throw .field }
    return number
  }
}
