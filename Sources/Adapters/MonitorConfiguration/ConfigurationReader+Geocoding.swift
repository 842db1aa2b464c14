import Addresses
import ConfigurationTree

extension ConfigurationReader {
  static func geocoding(_ table: consuming TableReader) -> GeocodingSettings? {
    let url = table.require("url", as: .serverURL)
    let language = table.read("language", as: .languageTag)
    table.finish()
    return url.map { GeocodingSettings(url: $0, language: language) }
  }
}

extension ValueDecoder where Value == String {
  fileprivate static var serverURL: ValueDecoder {
    ValueDecoder(.url) { node throws(DecodingIssue) in
      let example = "https://nominatim.example.org"
      let text = try ValueDecoder.text(example: example).decode(node)
      guard let scheme = ["https://", "http://"].first(where: text.hasPrefix), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
        throw DecodingIssue("\(text.quoted) is not a web address; write one such as \"\(example)\"")
      }
      let rest = text.dropFirst(scheme.count)
      let authority = rest.prefix { !"/?#".contains($0) }
      guard !authority.isEmpty else { throw DecodingIssue("\(text.quoted) has no host") }
      guard !authority.contains("@") else { throw DecodingIssue("contains a user name, which is not supported; remove it") }
      guard !rest.contains(where: { "?#".contains($0) }) else {
        throw DecodingIssue("\(text.quoted) has a query; write the address of the server alone, such as \"\(example)\"")
      }
      return text
    }
  }

  fileprivate static var languageTag: ValueDecoder {
    ValueDecoder(.text(pattern: "^[0-9A-Za-z-]{2,\(AddressQuery.longestTag)}$")) { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: "en").decode(node)
      guard AddressQuery.isTag(text) else { throw DecodingIssue("\(text.quoted) is not a language tag; write one such as \"en\"") }
      return text
    }
  }
}
