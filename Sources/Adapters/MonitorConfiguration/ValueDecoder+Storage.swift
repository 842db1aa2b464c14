import Beacons
import ConfigurationTree

extension ValueDecoder where Value == String {
  static var absolutePath: ValueDecoder {
    ValueDecoder(.absolutePath) { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: "/var/lib/beaconmon/journal.db").decode(node)
      guard text.hasPrefix("/"), !text.hasSuffix("/") else { throw DecodingIssue("\(text.quoted) is not an absolute path of a file") }
      return text
    }
  }
}

extension ValueDecoder where Value == DataSize {
  static func size(_ range: ClosedRange<UInt64>) -> ValueDecoder {
    ValueDecoder(.size(range)) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "64MiB").decode(node)
      guard let size = DataSize(text: text) else {
        throw DecodingIssue("\(text.quoted) is not a size; write a whole number and kB, MB, GB, KiB, MiB or GiB, such as \"64MiB\"")
      }
      guard range.contains(size.octets) else {
        throw DecodingIssue(
          "\(text.quoted) is not between \(DataSize(octets: range.lowerBound).text) and \(DataSize(octets: range.upperBound).text)")
      }
      return size
    }
  }
}
