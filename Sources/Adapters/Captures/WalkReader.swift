import Instants
import Records
import TrackRecordings

/// Reads the reports of a location receiver from a recorded walk, one chunk at a time.
public struct WalkReader: ~Copyable {
  private static let chunk = 16 * 1024

  private var file: CaptureFile
  private var decoder = WalkDecoder()
  private let buffer: UnsafeMutableRawBufferPointer

  /// Opens a path, or "-" for standard input; opening a FIFO waits for its writer unless `waitsForWriter` is false.
  public init(path: String, waitsForWriter: Bool = true) throws(CaptureFileError) {
    self.init(try CaptureFile(path: path, waitsForWriter: waitsForWriter))
  }

  public init(_ file: consuming CaptureFile) {
    self.file = file
    buffer = .allocate(byteCount: Self.chunk, alignment: 16)
  }

  deinit {
    buffer.deallocate()
  }

  public var name: String { file.name }
  /// The descriptor to wait on; it belongs to the reader.
  var descriptor: CInt { file.descriptor }
  /// The size in octets; nil if the end cannot be known.
  public var size: Int? { file.size }
  /// The time from the first report to the last so far; nil before the first.
  public var period: ClosedRange<Instant>? { decoder.period }
  /// The counts of its lines by outcome.
  public var counts: LineStatistics { decoder.counts }
  /// The number of fixes without a time, which are skipped.
  public var untimed: Int { decoder.untimed }

  /// Waits for the next chunk and appends its reports, perhaps none; returns false at the end of the walk.
  ///
  /// The reports of a throwing call are valid. After an error nothing more can be read.
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

extension CaptureFile {
  private static let beginning = 512

  /// Returns whether the input is a walk and no capture, by a name that ends in .nmea or by its first octets.
  /// It waits for those octets. Call it before anything is read.
  ///
  /// It returns false for an input that cannot be read; the next read throws the error.
  public mutating func isWalk() -> Bool {
    if name.hasSuffix(".nmea") { return true }
    var isWalk = false
    look(atMost: Self.beginning) { octets in
      let isText = octets.allSatisfy { (0x20...0x7E).contains($0) || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      isWalk =
        isText && octets.split(separator: UInt8(ascii: "\n")).contains { $0.first == UInt8(ascii: "$") || $0.first == UInt8(ascii: "{") }
      return isWalk || !isText
    }
    return isWalk
  }
}
