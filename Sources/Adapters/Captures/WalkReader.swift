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

extension CaptureFile {
  private static let beginning = 512

  /// Whether it is a walk and no capture, by its first octets, for which it waits, or by a name that ends in .nmea. To be asked before anything is read.
  ///
  /// What cannot be read is none; whoever reads it is told why.
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
