import Beacons
import ConfigurationTree

extension ValueDecoder where Value == [RequiredCapability] {
  /// A list of capabilities; the result has each of them once.
  static var capabilities: ValueDecoder {
    let names = RequiredCapability.allCases.map(\.rawValue)
    return ValueDecoder(.list(.choice(names))) { node throws(DecodingIssue) in
      let capability = ValueDecoder<RequiredCapability>.choice(of: "capability")
      let list = try ValueDecoder<[RequiredCapability]>.list(of: capability, example: "[\"magnetometer\", \"gps\"]").decode(node)
      return RequiredCapability.allCases.filter(list.contains)
    }
  }
}
