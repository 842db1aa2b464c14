import Glibc
import Testing

/// A file of Tests/Fixtures.
enum Fixture {
  static func octets(_ name: String, file: StaticString = #filePath) throws -> [UInt8] {
    let folder = "\(file)".split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
    let stream = try #require(fopen("\(folder)/Fixtures/\(name)", "r"), "\(name) is not in Tests/Fixtures")
    defer { fclose(stream) }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { octets += buffer.prefix(count) }
    return octets
  }

  static func text(_ name: String) throws -> String { String(decoding: try octets(name), as: UTF8.self) }

  /// A whole number or a string of a flat JSON object.
  static func member(_ key: String, of json: String) throws -> String {
    let start = try #require(json.range(after: "\"\(key)\":"))
    return String(json[start...].drop { $0 == "\"" }.prefix { !",}\"".contains($0) })
  }
}

extension String {
  fileprivate func range(after text: String) -> Index? {
    indices.first { self[$0...].hasPrefix(text) }.map { index($0, offsetBy: text.count) }
  }
}
