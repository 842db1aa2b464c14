import EventLoop
import Glibc
public import HTTPMessages
public import WebPage

/// The files of the page in their folders, and the pictures of plans.
///
/// A file is read when it is requested, so that an update of the package takes effect at once, and is never held in memory.
public final class WebFiles: PageFiles {
  private let folders: [String]
  private let leaflet: String

  /// - Parameters:
  ///   - folders: the folders of the page. A file comes from the first one that has it.
  ///   - leaflet: the folder of Leaflet.
  public init(folders: [String], leaflet: String) {
    (self.folders, self.leaflet) = (folders, leaflet)
  }

  private static let types = [
    "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "ico": "image/x-icon", "js": "text/javascript; charset=utf-8",
    "json": "application/json", "png": "image/png", "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
  ]

  public func response(to request: HTTPServerRequest) -> HTTPServerResponse {
    guard let name = name(of: request.path), let type = Self.types[String(name.extension)] else { return Self.notFound }
    let acceptsGzip = (request.header("Accept-Encoding") ?? "").split(separator: ",").contains {
      $0.drop { $0 == " " }.prefix { $0 != ";" && $0 != " " } == "gzip" && !$0.hasSuffix("q=0")
    }
    guard let file = find(name, acceptsGzip: acceptsGzip) else { return Self.notFound }
    let isCompressed = file.path.hasSuffix(".gz")
    let headers = [("Cache-Control", "no-cache"), ("ETag", file.tag), ("Vary", "Accept-Encoding")]
    if request.header("If-None-Match") == file.tag {
      return HTTPServerResponse(status: 304, contentType: type, headers: headers, "")
    }
    return HTTPServerResponse(
      contentType: type, headers: headers + (isCompressed ? [("Content-Encoding", "gzip")] : []), .file(file.body))
  }

  private static var notFound: HTTPServerResponse { HTTPServerResponse(status: 404, "there is no such file\n") }

  private func find(_ name: String, acceptsGzip: Bool) -> OpenFile? {
    let isLeaflet = name.hasPrefix("leaflet/")
    for path in isLeaflet ? ["\(leaflet)/\(name.dropFirst("leaflet/".count))"] : folders.map({ "\($0)/\(name)" }) {
      if let file = (acceptsGzip ? OpenFile(path + ".gz") : nil) ?? OpenFile(path) { return file }
    }
    return nil
  }

  /// Returns the name of a file in its folder; nil for names that no file of the page has.
  private func name(of request: String) -> String? {
    switch request {
    case "/": return "index.html"
    case "/login": return "login.html"
    default: break
    }
    let parts = request.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard !parts.isEmpty, parts.count <= 6, parts.allSatisfy(\.isFileName) else { return nil }
    return parts.joined(separator: "/")
  }
}

extension Substring {
  /// Whether this is a name of plain letters that leads to no other folder.
  fileprivate var isFileName: Bool {
    !isEmpty && utf8.count <= 100 && first != "."
      && utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || "-._".utf8.contains($0)
      }
  }
}

extension String {
  fileprivate var `extension`: Substring { lastIndex(of: ".").map { self[index(after: $0)...] } ?? "" }
}

/// The reason why a file cannot be read.
public struct WebFileError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}

extension WebFiles {
  /// Returns the text of a certificate or of its key.
  public static func pem(_ path: String) throws(WebFileError) -> String {
    do throws(WebFileError) { return try text(of: path, atMost: 1 << 18) } catch {
      throw WebFileError(
        description: "\(error); let the user of the service read it, for example with LoadCredential= in a drop-in")
    }
  }

  /// Returns the text of a file, such as a certificate.
  public static func text(of path: String, atMost most: Int) throws(WebFileError) -> String {
    let octets: [UInt8]
    do throws(SystemCallError) { octets = try FileContent.octets(of: path, limit: most + 1) } catch {
      throw WebFileError(description: "\(error)")
    }
    guard (1...most).contains(octets.count) else { throw WebFileError(description: "\(path) is empty or longer than \(most) octets") }
    return String(decoding: octets, as: UTF8.self)
  }
}

/// A regular file that is open for reading.
struct OpenFile {
  let path: String
  /// The value of the header ETag: another one for another content.
  let tag: String
  let body: HTTPServerFile

  /// Nil if there is no such file, or no permission.
  init?(_ path: String) {
    // A pipe must not block the server.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    let time = UInt64(bitPattern: Int64(status.st_mtim.tv_sec)) &* 1_000_000_000 &+ UInt64(bitPattern: Int64(status.st_mtim.tv_nsec))
    self.path = path
    tag = "\"\(String(status.st_ino, radix: 36))-\(String(time, radix: 36))-\(String(status.st_size, radix: 36))\""
    body = HTTPServerFile(descriptor, size: Int(status.st_size)) { close($0) }
  }
}
