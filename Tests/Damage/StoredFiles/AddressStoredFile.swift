import Addresses
import Geodesy
import Instants
import Locations
import Logging
import Nominatim

/// The daemon's file of addresses. A lost one is asked again, so only a wrong one is a fault.
struct AddressStoredFile: StoredFile {
  /// The names of the answers to queries; nil for a place without an address.
  typealias Truth = [AddressQuery: String?]

  let name = "addresses"
  let fileName = "addresses"
  let isDatabase = false

  private static let log = Logger(label: "addresses") { _ in SwiftLogNoOpLogHandler() }
  private static let server = "https://nominatim.example.org"
  private static let time = Instant(microseconds: 1_800_000_000_000_000)

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, Truth) throws -> Void) throws {
    for form in Form.allCases {
      var (cache, truth) = (AddressCache(server: Self.server), Truth())
      for number in 0..<Int.random(in: 1...30, using: &random) {
        guard let place = Coordinate(latitude: Double(number), longitude: .random(in: -180...180, using: &random)) else { continue }
        let query = AddressQuery(place, accuracy: 5, language: "de")
        var address = PostalAddress()
        address.name = "house \(Int.random(in: 0...9999, using: &random))"
        let isEmpty = Int.random(in: 0..<4, using: &random) == 0
        cache.store(isEmpty ? nil : address, for: query, at: Self.time)
        truth[query] = .some(isEmpty ? nil : address.name)
      }
      AddressStore(path: "\(folder)/\(fileName)", log: Self.log).save(cache)
      try keep(form, truth)
    }
  }

  func judge(_ folder: String, untouched: String, truths: [Truth]) throws -> Verdict {
    var verdict = Verdict()
    let store = AddressStore(path: "\(folder)/\(fileName)", log: Self.log)
    let loaded = store.load(server: Self.server)
    verdict.compare(with: truths) { truth, verdict in
      var (known, found) = (loaded, 0)
      for (query, name) in truth {
        guard let answer = known.answer(to: query, at: Self.time) else { continue }
        found += 1
        verdict.expect(answer?.name == name, "\(query.key) has a wrong address")
      }
      verdict.expect(loaded.count == found, "there are addresses that were never stored")
      verdict.reportedLosses += truth.count - found
    }
    var next = AddressCache(server: Self.server)
    if let query = truths.last?.keys.first { next.store(nil, for: query, at: Self.time) }
    store.save(next)
    verdict.expect(
      AddressStore(path: "\(folder)/\(fileName)", log: Self.log).load(server: Self.server).count == next.count, "the next address is lost")
    return verdict
  }
}
