import Addresses
import Geodesy
import Instants
import Locations
import Testing

/// Remembered answers, and the pace of questions.
@Suite struct AddressCacheTests {
  private static let noon = Instant(microseconds: 1_800_000_000_000_000)

  private func query(_ number: Int) throws -> AddressQuery {
    AddressQuery(try #require(Coordinate(latitude: Double(number) / 1000, longitude: 11)), accuracy: 5, language: "de")
  }

  private func address(_ name: String) -> PostalAddress {
    var address = PostalAddress()
    (address.name, address.locality) = (name, "München \"\t\n")
    return address
  }

  @Test func `answers are used for 30 days, and places without an address are asked again after a day`() throws {
    var cache = AddressCache(server: "https://a")
    cache.store(address("a"), for: try query(1), at: Self.noon)
    cache.store(nil, for: try query(2), at: Self.noon)
    let nearlyDay = Self.noon + AddressCache.emptyLifetime - .seconds(1)
    #expect(try cache.answer(to: query(1), at: nearlyDay) == .some(address("a")) && cache.answer(to: query(2), at: nearlyDay) == .some(nil))
    let day = Self.noon + AddressCache.emptyLifetime
    #expect(try cache.answer(to: query(1), at: day) == .some(address("a")) && cache.answer(to: query(2), at: day) == nil)
    #expect(try cache.answer(to: query(1), at: Self.noon + AddressCache.lifetime) == nil)
  }

  @Test func `a clock that jumps forgets nothing, and a time in the far future is not trusted`() throws {
    var cache = AddressCache(server: "https://a")
    cache.store(address("a"), for: try query(1), at: Self.noon)
    #expect(try cache.answer(to: query(1), at: Instant(microseconds: 0)) == nil)
    #expect(try cache.answer(to: query(1), at: Self.noon - .seconds(3600)) == .some(address("a")))
    #expect(try cache.answer(to: query(1), at: Self.noon) == .some(address("a")))
  }

  @Test func `an answer that is too old leaves the file when the next one is stored`() throws {
    var cache = AddressCache(server: "https://a")
    cache.store(address("a"), for: try query(1), at: Self.noon)
    cache.store(nil, for: try query(2), at: Self.noon)
    cache.store(address("c"), for: try query(3), at: Self.noon + AddressCache.emptyLifetime)
    #expect(cache.count == 2)
    cache.store(address("d"), for: try query(4), at: Self.noon + AddressCache.lifetime)
    #expect(cache.count == 2 && !cache.text.contains("\"a\""))
  }

  @Test func `the answers that were not used for the longest time are forgotten first`() throws {
    var cache = AddressCache(server: "https://a")
    for number in 0..<AddressCache.most { cache.store(nil, for: try query(number), at: Self.noon) }
    _ = cache.answer(to: try query(0), at: Self.noon)
    cache.store(nil, for: try query(9999), at: Self.noon)
    #expect(cache.count == AddressCache.most)
    #expect(try cache.answer(to: query(0), at: Self.noon) != nil && cache.answer(to: query(1), at: Self.noon) == nil)
  }

  @Test func `the file has every answer, and damage costs only the lines it hits`() throws {
    var cache = AddressCache(server: "https://a")
    for number in 0..<20 { cache.store(number % 3 == 0 ? nil : address("\(number)"), for: try query(number), at: Self.noon) }
    let text = cache.text
    var read = AddressCache(text: text, server: "https://a")
    #expect(read.count == 20)
    for number in 0..<20 { #expect(try read.answer(to: query(number), at: Self.noon) == cache.answer(to: query(number), at: Self.noon)) }
    var octets = Array(text.utf8)
    octets[octets.count / 2] ^= 1
    #expect(AddressCache(text: String(decoding: octets, as: UTF8.self), server: "https://a").count == 19)
    #expect(AddressCache(text: String(text.prefix(text.count * 3 / 4)), server: "https://a").count == 14)
    #expect(AddressCache(text: text, server: "https://b").count == 0)
    #expect(AddressCache(text: "\u{0}\n\t\n\t\t\t\n", server: "https://a").count == 0)
  }

  @Test func `one request is sent a second, and failures pause for longer each time`() {
    var pacer = RequestPacer()
    var now = Instant(microseconds: 0)
    pacer.send(at: now)
    #expect(pacer.next == now + .seconds(1))
    var pauses: [Double] = []
    for _ in 0..<12 {
      pacer.fail(at: now, demand: nil)
      pauses.append((pacer.next - now).seconds)
      now = pacer.next
    }
    #expect(pauses == [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600])
    pacer.succeed()
    pacer.fail(at: now, demand: .seconds(120))
    #expect(pacer.next == now + .seconds(120) && pacer.failures == 1)
    pacer.fail(at: now, demand: .seconds(1e9))
    #expect(pacer.next == now + .seconds(86_400))
  }
}
