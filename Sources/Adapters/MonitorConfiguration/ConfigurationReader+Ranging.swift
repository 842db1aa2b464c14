import Beacons
import ConfigurationTree
import Instants
import Ranging

extension ConfigurationReader {
  static func ranging(_ table: consuming TableReader) -> RangingSettings {
    var settings = RangingSettings()
    if let exponent = table.read(
      "path-loss-exponent", as: .number(1...6), default: .number(PathLossModel.usualExponent), allowsRollouts: true)
    {
      settings.model = PathLossModel(exponent: exponent)
    }
    if let offset = table.read("rssi-offset", as: .rssiOffset, allowsRollouts: true) {
      (settings.rssiOffset, settings.isCalibrated) = (offset, true)
    }
    let timeConstant = Span(microseconds: Int64(settings.timeConstant * 1_000_000))
    if let span = table.read(
      "time-constant", as: .duration(.milliseconds(100)...(.seconds(60))), default: .text(timeConstant.text), allowsRollouts: true)
    {
      settings.timeConstant = span.seconds
    }
    if let method = table.read("method", as: .distanceMethod, default: .text(settings.method.rawValue), allowsRollouts: true) {
      settings.method = method
    }
    table.finish()
    return settings
  }

  static func beaconOffsets(_ tables: [TableReader]) -> [BeaconIdentity: Double] {
    var offsets: [BeaconIdentity: Double] = [:]
    var firstLines: [BeaconIdentity: SourceLine?] = [:]
    for var table in tables {
      let uuid = table.require("uuid", as: .uuid, allowsRollouts: true)
      let major = table.require("major", as: .short, allowsRollouts: true)
      let minor = table.require("minor", as: .short, allowsRollouts: true)
      let offset = table.require("rssi-offset", as: .rssiOffset, allowsRollouts: true)
      if let uuid, let major, let minor {
        let beacon = BeaconIdentity(uuid: uuid, major: major, minor: minor)
        if let first = firstLines[beacon] {
          table.report(nil, "is a duplicate of the beacon \(table.reference(to: first)); remove one of them")
        } else {
          firstLines[beacon] = table.line
          offsets[beacon] = offset
        }
      }
      table.finish()
    }
    return offsets
  }
}

extension ValueDecoder where Value == DistanceMethod {
  fileprivate static var distanceMethod: ValueDecoder {
    ValueDecoder(.choice(["bayesian", "plain"])) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "bayesian").decode(node)
      guard let method = DistanceMethod(rawValue: text), method != .indoor else {
        throw DecodingIssue("\(text.quoted) is not a method; write \"bayesian\" or \"plain\"")
      }
      return method
    }
  }
}
