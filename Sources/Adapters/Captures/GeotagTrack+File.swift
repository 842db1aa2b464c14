import Failures
import Geotagging

extension GeotagTrack {
  /// Adds all fixes and headings of a file; "-" is standard input.
  public mutating func read(file path: String) throws(Failure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var decoder = GeotagTrackDecoder()
    var file = try Self.open(path)
    let name = file.name
    while case let count = try Self.next(&file, buffer), count > 0 {
      try Self.decode(name) { () throws(GeotagTrackError) in
        try decoder.decode(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &self)
      }
    }
    try Self.decode(name) { () throws(GeotagTrackError) in try decoder.finish(into: &self) }
  }

  private static func open(_ path: String) throws(Failure) -> CaptureFile {
    do throws(CaptureFileError) { return try CaptureFile(path: path) } catch { throw Failure(error) }
  }

  private static func next(_ file: inout CaptureFile, _ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    do throws(CaptureFileError) { return try file.read(into: buffer) } catch { throw Failure(error) }
  }

  private static func decode(_ name: String, _ body: () throws(GeotagTrackError) -> Void) throws(Failure) {
    do throws(GeotagTrackError) { try body() } catch { throw Failure(.dataError, "\(name): \(error)") }
  }
}
