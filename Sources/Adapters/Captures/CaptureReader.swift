import BeaconAdvertising
import Instants

/// Pulls the sightings out of a capture, one chunk at a time.
public struct CaptureReader: ~Copyable {
  /// In octets: what reads fastest.
  public static let longChunk = 256 * 1024

  private var file: CaptureFile
  private var decoder = CaptureDecoder()
  private let buffer: UnsafeMutableRawBufferPointer

  /// A path, or "-" for standard input. Opening a FIFO waits for its writer unless told otherwise.
  public init(path: String, waitsForWriter: Bool = true, chunk: Int = longChunk) throws(CaptureFileError) {
    self.init(try CaptureFile(path: path, waitsForWriter: waitsForWriter), chunk: chunk)
  }

  public init(_ file: consuming CaptureFile, chunk: Int = longChunk) {
    self.file = file
    buffer = .allocate(byteCount: chunk, alignment: 16)
  }

  deinit {
    buffer.deallocate()
  }

  public var name: String { file.name }
  /// To wait on; it belongs to the reader.
  var descriptor: CInt { file.descriptor }
  /// In octets; nil when the end cannot be known.
  public var size: Int? { file.size }
  /// Octets read so far.
  public var offset: Int { file.offset }
  public var counts: AdvertisementCounts { decoder.counts }
  /// From the first record to the last so far; nil before the first.
  public var period: ClosedRange<Instant>? { decoder.period }
  public var roster: AdapterRoster { decoder.roster }

  /// Says which adapters count and how each hears, for what is read from now on.
  public mutating func configure(_ settings: [AdapterSettings]) {
    decoder.configure(settings)
  }

  /// Waits for the next chunk and appends its sightings, which may be none; false at the end of the capture.
  ///
  /// What a throwing call appended counts. After an error nothing more can be read.
  public mutating func read(into sightings: inout [Sighting]) throws(CaptureFileError) -> Bool {
    let count = try file.read(into: buffer)
    do throws(CaptureError) {
      guard count > 0 else {
        try decoder.finish()
        return false
      }
      try decoder.decode(UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes, into: &sightings)
      return true
    } catch {
      throw CaptureFileError(name: name, cause: .content(error))
    }
  }
}
