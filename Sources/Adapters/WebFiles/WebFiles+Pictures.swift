import EventLoop
import Glibc
import HTTPMessages
import Venues
public import WebPage

extension WebFiles {
  /// The largest file in octets, and the maximum number of pixels: a browser unpacks a picture to four octets for each.
  private static let mostOctets = 20_000_000
  private static let mostPixels = 40_000_000

  public func check(picture path: String) throws(PageRefusal) { _ = try Self.open(picture: path) }

  public func picture(_ path: String) throws(PageRefusal) -> HTTPServerResponse {
    let (file, type) = try Self.open(picture: path)
    var headers = [("Cache-Control", "no-cache"), ("ETag", file.tag)]
    // The page shows it in an <img>, where nothing runs; this is for a visitor who opens its address.
    if type == "image/svg+xml" { headers.append(("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")) }
    return HTTPServerResponse(contentType: type, headers: headers, .file(file.body))
  }

  private static func open(picture path: String) throws(PageRefusal) -> (file: OpenFile, type: String) {
    guard path.hasPrefix("/"), let file = OpenFile(path),
      let beginning = try? FileContent.octets(of: path, limit: PictureSize.mostOctets)
    else {
      throw PageRefusal(
        404, "picture", "the picture \(path) is missing, or the user of beaconmon-web may not read it; make it readable for everyone")
    }
    guard file.body.size <= mostOctets else {
      throw PageRefusal(
        413, "picture", "the picture \(path) has \(file.body.size / 1_000_000) MB; make it smaller than \(mostOctets / 1_000_000) MB")
    }
    guard let size = PictureSize(beginning) else {
      throw PageRefusal(415, "picture", "the picture \(path) is not a PNG, JPEG or SVG file that states its size; convert it")
    }
    guard size.width * size.height <= mostPixels else {
      throw PageRefusal(
        413, "picture",
        "the picture \(path) has \(size.width) x \(size.height) pixels; make it smaller than \(mostPixels / 1_000_000) megapixels")
    }
    let type = beginning.starts(with: [0x89]) ? "image/png" : beginning.starts(with: [0xFF, 0xD8]) ? "image/jpeg" : "image/svg+xml"
    return (file, type)
  }
}
