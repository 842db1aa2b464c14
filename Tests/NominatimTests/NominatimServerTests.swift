import Addresses
import EventLoop
import Foundation
import Geocoding
import Geodesy
import Instants
import Locations
import Nominatim
import TestSupport
import Testing

/// Queries to a local server, which answers as its path says.
@Suite struct NominatimServerTests {
  private let loop: Loop
  private let peer: WebhookServer

  init() throws {
    loop = try Loop()
    peer = try WebhookServer(encrypted: false)
  }

  private func ask(_ path: String, precision wanted: Double = 0) throws -> AddressAnswer {
    let server = NominatimServer(loop, url: peer.url(path), userAgent: "beaconmond/1.0 (test)")
    let place = try #require(Coordinate(latitude: 48.13743, longitude: 11.57549))
    return try loop.value { server.send(AddressQuery(place, accuracy: 5, wanted: wanted, language: "de"), completion: $0) }
  }

  @Test func `a query is a GET with a rounded location, a language and the name of the program`() throws {
    guard case .address(let address?) = try ask("/address/") else {
      Issue.record("no address")
      return
    }
    #expect(address.text == "Neues Rathaus, Marienplatz 8, 80331 München, Deutschland")
    let request = try #require(try peer.requests().first)
    #expect(
      request.path
        == "/address/reverse?format=jsonv2&addressdetails=1&layer=address&lat=48.1374&lon=11.5755&zoom=18&accept-language=de")
    #expect(request.headers["user-agent"] == "beaconmond/1.0 (test)" && request.body.isEmpty)
  }

  @Test func `a place without an address is an answer`() throws {
    #expect(try ask("/nothing") == .address(nil))
  }

  @Test(arguments: [
    ("/429/120", "HTTP status 429", 120.0), ("/503", "HTTP status 503", nil), ("/302", "HTTP status 302", nil),
    ("/flood", "longer than 65536 octets", nil), ("/endless", "longer than 65536 octets", nil), ("/text", "JSON", nil),
    ("/deep", "deeper", nil),
    ("/octets", "UTF-8", nil), ("/list", "no address", nil), ("/reset", "reset", nil),
  ])
  func `a bad answer is a failure with its reason`(path: String, reason: String, pause: Double?) throws {
    guard case .failed(let text, let retryAfter) = try ask(path) else {
      Issue.record("\(path) was accepted")
      return
    }
    #expect(text.contains(reason) && retryAfter == pause.map { .seconds($0) }, "\(text)")
  }

  @Test func `hostile texts are cleaned and cut`() throws {
    guard case .address(let address?) = try ask("/hostile") else {
      Issue.record("no address")
      return
    }
    // The escape character is gone, and so is the letter with 5000 marks.
    #expect(address.name == "[31mA B C<b>")
    #expect(address.thoroughfare?.count == 120 && address.isoCountryCode == nil && address.locality == nil && address.country == nil)
  }

  @Test func `a server that is down is a failure`() throws {
    peer.stop()
    guard case .failed = try ask("/address") else {
      Issue.record("an answer")
      return
    }
  }

  // MARK: File

  @Test func `addresses are private, and known to the next process`() throws {
    let folder = try TemporaryDirectory()
    let lines = LogLines()
    let path = folder.file("addresses")
    let query = AddressQuery(try #require(Coordinate(latitude: 48, longitude: 11)), accuracy: 5)
    var cache = AddressCache(server: "https://a")
    cache.store(nil, for: query, at: Instant(microseconds: 0))
    #expect(AddressStore(path: path, log: lines.logger).load(server: "https://a").count == 0)
    AddressStore(path: path, log: lines.logger).save(cache)
    let mode = try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    #expect(mode == 0o600)
    var read = AddressStore(path: path, log: lines.logger).load(server: "https://a")
    #expect(read.answer(to: query, at: Instant(microseconds: 1)) == .some(nil))
    #expect(AddressStore(path: path, log: lines.logger).load(server: "https://b").count == 0)
    #expect(!FileManager.default.fileExists(atPath: path) && lines.all.isEmpty)
    AddressStore(path: path, log: lines.logger).save(cache)
    AddressStore(path: path, log: lines.logger).remove()
    #expect(!FileManager.default.fileExists(atPath: path) && lines.all.isEmpty)
  }

  @Test func `a file of any content is read, and one that cannot be used costs a line in the log`() throws {
    let folder = try TemporaryDirectory()
    let lines = LogLines()
    try Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: URL(fileURLWithPath: folder.file("garbage")))
    #expect(AddressStore(path: folder.file("garbage"), log: lines.logger).load(server: "https://a").count == 0 && lines.all.isEmpty)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("garbage"))
    let store = AddressStore(path: folder.file("missing/addresses"), log: lines.logger)
    for _ in 0..<3 { store.save(AddressCache(server: "https://a")) }
    #expect(AddressStore(path: folder.file("link"), log: lines.logger).load(server: "https://a").count == 0 && lines.all.count == 2)
  }
}
