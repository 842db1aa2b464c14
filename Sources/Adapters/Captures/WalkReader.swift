import Instants
import Records
import Walks

/// Pulls what a receiver said out of a recorded walk, one chunk at a time.
public struct WalkReader: ~Copyable {
  private static let chunk = 16 * 1024

  private var file: CaptureFile
  private var decoder = WalkDecoder()
  private let buffer: UnsafeMutableRawBufferPointer

  /// A path, or "-" for standard input. Opening a FIFO waits for its writer unless told otherwise.
  public init(path: String, waitsForWriter: Bool = true) throws(CaptureFileError) {
    file = try CaptureFile(path: path, waitsForWriter: waitsForWriter)
    buffer = .allocate(byteCount: Self.chunk, alignment: 16)
  }

  deinit {
    buffer.deallocate()
  }

  public var name: String { file.name }
  /// To wait on; it belongs to the reader.
  var descriptor: CInt { file.descriptor }
  /// In octets; nil when the end cannot be known.
  public var size: Int? { file.size }
  /// From the first time to the last so far; nil before the first.
  public var period: ClosedRange<Instant>? { decoder.period }
  /// What became of its lines.
  public var counts: Record { decoder.counts }
  /// Fixes that do not say when they were, and are passed over.
  public var untimed: Int { decoder.untimed }

  /// Waits for the next chunk and appends what was said in it, which may be nothing; false at the end of the walk.
  ///
  /// What a throwing call appended counts. After an error nothing more can be read.
  public mutating func read(into reports: inout [WalkReport]) throws(CaptureFileError) -> Bool {
    let count = try file.read(into: buffer)
    do throws(WalkError) {
      guard count > 0 else {
        try decoder.finish(into: &reports)
        return false
      }
      try decoder.decode(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &reports)
      return true
    } catch {
      throw CaptureFileError(name: name, cause: .walk(error))
    }
  }
}

extension WalkReader {
  /// Whether a file is a walk and no capture: by what it begins with, or by its name where it cannot be looked at without taking from it.
  public static func reads(_ path: String) -> Bool {
    if path.hasSuffix(".nmea") { return true }
    guard path != "-", let beginning = CaptureFile.beginning(of: path) else { return false }
    let isText = beginning.allSatisfy { (0x20...0x7E).contains($0) || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    return isText
      && beginning.split(separator: UInt8(ascii: "\n")).contains { $0.first == UInt8(ascii: "$") || $0.first == UInt8(ascii: "{") }
  }
}
