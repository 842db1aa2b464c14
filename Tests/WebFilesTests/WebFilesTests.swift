import Foundation
import HTTPMessages
import TestSupport
import Testing
import WebFiles
import WebPage

@Suite struct WebFilesTests {
  private let folder: TemporaryDirectory
  private let files: WebFiles

  init() throws {
    folder = try TemporaryDirectory()
    let (pages, leaflet) = (folder.file("pages"), folder.file("leaflet"))
    for path in ["\(pages)/app", folder.file("own"), leaflet] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for (name, text) in [
      "pages/index.html": "index", "own/login.html": "login", "pages/login.html": "hidden by the first folder",
      "pages/app/main.js": "script", "pages/app/main.js.gz": "zipped",
      "pages/.secret.js": "hidden", "leaflet/leaflet.js": "leaflet", "outside.js": "outside", "pages/README": "none",
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
    }
    files = WebFiles(folders: [folder.file("own"), pages], leaflet: leaflet)
  }

  private func get(_ path: String, _ headers: [String: String] = [:]) -> HTTPServerResponse {
    files.response(to: HTTPServerRequest(method: .get, path: path, findHeader: { headers[$0] }))
  }

  private func content(_ response: HTTPServerResponse) throws -> String {
    guard case .file(let file) = response.body, let descriptor = file.take() else { return "" }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
  }

  @Test(arguments: [
    ("/", "index", "text/html; charset=utf-8"), ("/login", "login", "text/html; charset=utf-8"),
    ("/app/main.js", "script", "text/javascript; charset=utf-8"), ("/leaflet/leaflet.js", "leaflet", "text/javascript; charset=utf-8"),
  ])
  func `a file of the page is served with its type`(path: String, text: String, type: String) throws {
    let response = get(path)
    #expect(try content(response) == text)
    #expect(response.header("Content-Type") == type && response.header("Cache-Control") == "no-cache")
  }

  @Test(arguments: [
    "/../outside.js", "/app/../../outside.js", "/leaflet/../outside.js", "//outside.js", "/.secret.js", "/app", "/app/", "/README",
    "/none.js",
    "/a/b/c/d/e/f/g.js", "/app/main.js\u{0}", "/app/m\u{E4}in.js", "", "/%2e%2e/outside.js",
  ])
  func `nothing else is served`(path: String) { #expect(get(path).status == 404) }

  @Test func `a browser that accepts gzip gets the smaller file, and one that has the file gets no copy`() throws {
    let plain = get("/app/main.js", ["Accept-Encoding": "br, identity"])
    let zipped = get("/app/main.js", ["Accept-Encoding": "br, gzip;q=0.9"])
    #expect(try content(plain) == "script" && content(zipped) == "zipped")
    #expect(plain.header("Content-Encoding") == nil && zipped.header("Content-Encoding") == "gzip")
    #expect(zipped.header("Content-Type") == "text/javascript; charset=utf-8" && zipped.header("Vary") == "Accept-Encoding")
    let tag = try #require(zipped.header("ETag"))
    #expect(tag != plain.header("ETag"))
    #expect(get("/app/main.js", ["Accept-Encoding": "gzip", "If-None-Match": tag]).status == 304)
    try Data("zipped again".utf8).write(to: URL(fileURLWithPath: folder.file("pages/app/main.js.gz")))
    #expect(get("/app/main.js", ["Accept-Encoding": "gzip", "If-None-Match": tag]).status == 200)
    #expect(try content(get("/login", ["Accept-Encoding": "gzip"])) == "login")
  }

  /// The beginning of a PNG file of a size.
  private func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    func octets(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + octets(width) + octets(height)
  }

  private func picture(_ octets: [UInt8]) throws -> String {
    let path = folder.file("picture")
    try Data(octets).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `a certificate is read, and one that cannot be read is an error with the remedy`() throws {
    #expect(try WebFiles.pem(folder.file("outside.js")) == "outside")
    let path = folder.file("none.pem")
    let error = try #require(throws: WebFileError.self) { try WebFiles.pem(path) }
    #expect(error.description.contains(path))
    #expect(error.description.hasSuffix("; let the user of the service read it, for example with LoadCredential= in a drop-in"))
  }

  private func refusal(_ path: String) throws -> PageRefusal {
    try #require(throws: PageRefusal.self) { try files.picture(path) }
  }

  @Test func `a picture is served by its content, and an SVG runs nothing`() throws {
    #expect(try files.picture(picture(png(8000, 5000))).header("Content-Type") == "image/png")
    let text = #"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><script>alert(1)</script></svg>"#
    let drawing = try files.picture(picture(Array(text.utf8)))
    #expect(drawing.header("Content-Type") == "image/svg+xml")
    #expect(drawing.header("Content-Security-Policy") == "default-src 'none'; style-src 'unsafe-inline'; sandbox")
  }

  @Test func `a picture that is too large or missing, and a file that is not a picture, are refused with a remedy`() throws {
    #expect(try refusal(picture(png(20_000, 10_000))).message.contains("has 20000 x 10000 pixels; make it smaller than 40 megapixels"))
    let large = png(10, 10) + [UInt8](repeating: 0, count: 20_000_000)
    #expect(try refusal(picture(large)).message.contains("has 20 MB; make it smaller than 20 MB"))
    #expect(try refusal(picture(Array("text".utf8))).status == 415)
    #expect(try refusal("/nonexistent.png").status == 404)
    #expect(try refusal(folder.path).status == 404)
    let pipe = folder.file("pipe.png")
    mkfifo(pipe, 0o600)
    #expect(try refusal(pipe).status == 404)
  }
}
