import EventLoop
import Glibc

/// A file of Tests/Fixtures.
public enum Fixture {
  public static func path(_ name: String) -> String { repository("Tests/Fixtures/\(name)") }

  /// Returns the path of a file of the repository.
  public static func repository(_ path: String) -> String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/") + "/\(path)"
  }

  public static func octets(_ name: String) throws -> [UInt8] {
    guard let stream = fopen(path(name), "r") else { throw SystemCallError(call: "open", subject: path(name), code: errno) }
    defer { fclose(stream) }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { octets += buffer.prefix(count) }
    return octets
  }

  public static func text(_ name: String) throws -> String { String(decoding: try octets(name), as: UTF8.self) }

  /// Returns a whole number or a string of a flat JSON object.
  public static func member(_ key: String, of json: String) throws -> String {
    guard let start = json.range(after: "\"\(key)\":") else { throw MissingMember(key: key) }
    return String(json[start...].drop { $0 == "\"" }.prefix { !",}\"".contains($0) })
  }
}

struct MissingMember: Error {
  let key: String
}

extension String {
  fileprivate func range(after text: String) -> Index? {
    indices.first { self[$0...].hasPrefix(text) }.map { index($0, offsetBy: text.count) }
  }
}
