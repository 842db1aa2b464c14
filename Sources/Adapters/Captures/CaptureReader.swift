import BeaconAdvertising
public import Beacons
import Instants
import Records

/// Reads the sightings from a capture, one chunk at a time.
public struct CaptureReader: ~Copyable {
  /// The chunk length, in octets, that reads fastest.
  public static let longChunk = 256 * 1024

  private var file: CaptureFile
  private var decoder = CaptureDecoder()
  private let buffer: UnsafeMutableRawBufferPointer

  /// Opens a path, or "-" for standard input; opening a FIFO waits for its writer unless `waitsForWriter` is false.
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
  /// The descriptor to wait on; it belongs to the reader.
  var descriptor: CInt { file.descriptor }
  /// The size in octets; nil if the end cannot be known.
  public var size: Int? { file.size }
  /// Octets read so far.
  public var offset: Int { file.offset }
  public var counts: AdvertisementCounts { decoder.counts }
  /// The time from the first record to the last so far; nil before the first.
  public var period: ClosedRange<Instant>? { decoder.period }
  public var roster: AdapterRoster { decoder.roster }

  /// Sets which adapters count and their RSSI offsets, for the data that is read from now on.
  public mutating func configure(_ settings: [AdapterSettings]) {
    decoder.configure(settings)
  }

  /// Whether the senders of the sightings are kept until `takeSenders`.
  public var keepsSenders: Bool {
    get { decoder.keepsSenders }
    set { decoder.keepsSenders = newValue }
  }

  /// Returns the addresses that sent the sightings since the last call, in their order.
  public mutating func takeSenders() -> [BluetoothAddress] { decoder.takeSenders() }

  /// Whether the motions of the capture are kept until `takeMotions`.
  public var keepsMotions: Bool {
    get { decoder.keepsNotes }
    set { decoder.keepsNotes = newValue }
  }

  /// Returns the motions of the device in the chunks since the last call, in their order.
  public mutating func takeMotions() -> [RecordedMotion] { decoder.takeNotes().compactMap(RecordedMotion.init) }

  /// Returns the telemetry of beacons in the chunks since the last call.
  public mutating func takeTelemetry() -> [BeaconTelemetry] { decoder.takeTelemetry() }

  /// Waits for the next chunk and appends its sightings, perhaps none; returns false at the end of the capture.
  ///
  /// The sightings of a throwing call are valid. After an error nothing more can be read.
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

/// The progress of reading a capture.
public struct CaptureProgress: Hashable, Sendable {
  public let octets: Int
  /// The size in octets; nil if the end cannot be known.
  public let total: Int?
  /// The capture's own time that has passed.
  public let captured: Span
  public let advertisements: Int
}

extension CaptureReader {
  public var progress: CaptureProgress {
    CaptureProgress(
      octets: offset, total: size, captured: period.map { $0.upperBound - $0.lowerBound } ?? .zero, advertisements: counts.kinds.total)
  }
}
