import Instants
import Locations
import NMEA
import Records

/// Decodes the octets that gpsd sends, in chunks of any size: the JSON of protocol 3, gpsd_json(5).
public struct GPSDDecoder: Sendable {
  /// The maximum line length; gpsd documents 10,240, and later versions send longer lines.
  private static let longestLine = 65_536

  public private(set) var counts = LineCounts<GPSDFault>()
  private var cutter = LineCutter(longest: longestLine)
  private var receivers: [String: GPSDReceiver] = [:]
  /// Whether the protocol version is known and supported; other lines are ignored.
  private var isUnderstood: Bool
  private let isRecording: Bool

  /// Creates a decoder.
  ///
  /// - Parameter isRecording: whether the input is a recording, which may begin anywhere; a connection begins with the version.
  public init(isRecording: Bool = false) {
    self.isRecording = isRecording
    isUnderstood = isRecording
  }

  public mutating func decode(_ octets: some RandomAccessCollection<UInt8>, into reports: inout [GPSDReport]) {
    let lines = cutter.lines(in: octets)
    counts.note(.length, total: cutter.tooLong)
    for line in lines {
      do throws(GPSDFault) {
        guard let report = try report(in: line) else { continue }
        if case .version(let version) = report.value {
          isUnderstood = version.isUnderstood
          reports.append(.version(version))
        } else if isUnderstood, let report = report.value {
          reports.append(report)
        }
        guard isUnderstood else { throw .version }
        counts.noteUsed()
      } catch {
        counts.note(isUnderstood ? error : .version)
      }
    }
  }

  /// Discards all state, because a new connection begins.
  public mutating func forget() {
    cutter.forget()
    receivers = [:]
    isUnderstood = isRecording
  }

  /// A line that was used, with the report to deliver, if any.
  private struct Used {
    var value: GPSDReport?
  }

  private mutating func report(in line: [UInt8]) throws(GPSDFault) -> Used? {
    // gpsd 3.22 reports no compass as JSON, but passes its sentences on to a client that watches NMEA. They name no device.
    if line.first == UInt8(ascii: "$"), isUnderstood, let heading = try compass(line) {
      return Used(value: .heading(heading, device: nil))
    }
    // NMEA, or a class whose values a record may not be able to hold.
    guard line.first != UInt8(ascii: "$"), line.first != UInt8(ascii: "!"), !Self.isOther(line) else {
      return try skip()
    }
    guard let text = String(validating: line, as: UTF8.self) else { throw .json }
    let record: Record
    do throws(JSONError) { record = try Record(json: text) } catch { throw .json }
    switch record["class"]?.text {
    case "TPV": return Used(value: try position(record))
    case "SKY":
      try receive(record) { (receiver) throws(GPSDFault) in try receiver.noteSky(record) }
      return Used()
    case "GST":
      try receive(record) { (receiver) throws(GPSDFault) in try receiver.noteNoise(record) }
      return Used()
    case "ATT": return Used(value: try heading(record))
    case "VERSION": return Used(value: .version(try GPSDVersion(record)))
    case "DEVICES": return Used(value: try devices(record))
    case "DEVICE": return Used(value: try device(record))
    case "ERROR": return Used(value: .error(record["message"]?.text ?? "unknown reason"))
    case .some: return try skip()
    case nil: throw .field
    }
  }

  private func compass(_ line: [UInt8]) throws(GPSDFault) -> HeadingReading? {
    do throws(NMEAFault) { return try HeadingReading(nmea: line) } catch { throw .field }
  }

  private mutating func skip() throws(GPSDFault) -> Used? {
    guard isUnderstood else { throw .version }
    counts.noteUnused()
    return nil
  }

  /// Returns whether the line's class is ignored; gpsd writes the class first, so the line need not be parsed.
  private static func isOther(_ line: [UInt8]) -> Bool {
    let beginning = Array("{\"class\":\"".utf8)
    guard line.starts(with: beginning) else { return false }
    let name = line[beginning.count...].prefix { $0 != UInt8(ascii: "\"") }
    return !["TPV", "SKY", "GST", "ATT", "VERSION", "DEVICES", "DEVICE", "ERROR"].contains(String(decoding: name, as: UTF8.self))
  }

  // MARK: - Receivers

  /// A limit above the number of receivers of any machine; more names can only be invented.
  private static let mostReceivers = 16

  private mutating func receive<Value>(
    _ record: Record, _ body: (inout GPSDReceiver) throws(GPSDFault) -> Value
  ) throws(GPSDFault) -> Value {
    let path = record["device"]?.text ?? ""
    if receivers[path] == nil, receivers.count >= Self.mostReceivers { receivers.removeAll() }
    var receiver = receivers[path] ?? GPSDReceiver()
    defer { receivers[path] = receiver }
    return try body(&receiver)
  }

  private mutating func position(_ record: Record) throws(GPSDFault) -> GPSDReport {
    let report = try receive(record) { (receiver) throws(GPSDFault) in try receiver.position(record) }
    return .epoch(report, device: record["device"]?.text)
  }

  /// Returns nil for an attitude without a heading.
  private func heading(_ record: Record) throws(GPSDFault) -> GPSDReport? {
    guard let value = record["heading"] else { return nil }
    guard let degrees = value.number, let heading = HeadingReading(trueHeading: degrees) else { throw .field }
    return .heading(heading, device: record["device"]?.text)
  }

  // MARK: - Devices

  private mutating func devices(_ record: Record) throws(GPSDFault) -> GPSDReport {
    guard let list = record["devices"]?.list else { throw .field }
    var devices: [GPSDDevice] = []
    for device in list { devices.append(try GPSDDevice(device)) }
    receivers = receivers.filter { path, _ in devices.contains { $0.path == path } }
    return .devices(devices)
  }

  private mutating func device(_ record: Record) throws(GPSDFault) -> GPSDReport {
    let device = try GPSDDevice(record)
    if !device.isActive { receivers[device.path] = nil }
    return .device(device)
  }
}

extension GPSDVersion {
  fileprivate init(_ record: Record) throws(GPSDFault) {
    guard let major = record["proto_major"]?.number, let minor = record["proto_minor"]?.number, abs(major) < 1e6, abs(minor) < 1e6 else {
      throw .field
    }
    self.init(major: Int(major), minor: Int(minor), release: record["release"]?.text)
  }
}

extension GPSDDevice {
  /// Reads a device; `activated` is a time while it is open, 0 after it was closed, and absent before it is opened.
  fileprivate init(_ record: Record) throws(GPSDFault) {
    guard let path = record["path"]?.text else { throw .field }
    self.init(path: path, isActive: record["activated"].map { $0.number == nil } ?? false)
  }
}

/// The error in a line from gpsd.
public enum GPSDFault: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// The line is longer than any report.
  case length
  /// The line is not a JSON object; this includes reports that gpsd truncates at 10,240 octets.
  case json
  /// A field has a value that the report does not allow.
  case field
  /// The major version of the protocol is unsupported, or the line precedes the version.
  case version
}

/// A message from gpsd to a client: gpsd_json(5).
public enum GPSDReport: Hashable, Sendable {
  /// The version, which is gpsd's first message; after an unsupported version, also the last.
  case version(GPSDVersion)
  /// All devices of gpsd.
  case devices([GPSDDevice])
  /// A device that was added, opened, closed or removed.
  case device(GPSDDevice)
  /// The report of a receiver, and its device.
  case epoch(SourceReport, device: String?)
  /// The heading of a compass, and its device.
  case heading(HeadingReading, device: String?)
  /// The error message of gpsd for a request that it did not understand.
  case error(String)
}

public struct GPSDVersion: Hashable, Sendable {
  public let major: Int
  public let minor: Int
  public let release: String?

  /// The supported major version of the protocol.
  public static let understoodMajor = 3
  public var isUnderstood: Bool { major == Self.understoodMajor }
}

public struct GPSDDevice: Hashable, Sendable {
  public let path: String
  /// Whether the device is open.
  public let isActive: Bool
}
