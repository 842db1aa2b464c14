import BeaconHealth
import ConfigurationTree

/// The table `beacon-health` as it is written; the rest of the configuration completes it.
struct ConfiguredBeaconHealth {
  var problems: Set<BeaconProblem>?
  var isStationary: Bool?
  var lowBattery: Double?

  /// Returns the settings. A device that never moves reports every problem unless the table says otherwise, another one none.
  ///
  /// - Parameter hasReceiver: whether the configuration states the place of a device that never moves.
  func settings(hasReceiver: Bool) -> BeaconHealthSettings {
    let isStationary = isStationary ?? hasReceiver
    return BeaconHealthSettings(
      problems: problems ?? (isStationary ? Set(BeaconProblem.allCases) : []), isStationary: isStationary,
      lowBattery: lowBattery ?? BeaconHealthSettings.defaultLowBattery)
  }
}

extension ConfigurationReader {
  static func beaconHealth(_ table: consuming TableReader) -> ConfiguredBeaconHealth {
    var result = ConfiguredBeaconHealth()
    result.problems = table.read("report", as: .beaconProblems).map { Set($0) }
    result.isStationary = table.read("stationary", as: .flag)
    result.lowBattery = table.read("low-battery", as: .number(0.5...12), default: .number(BeaconHealthSettings.defaultLowBattery))
    table.finish()
    return result
  }
}

extension ValueDecoder where Value == [BeaconProblem] {
  fileprivate static var beaconProblems: ValueDecoder {
    let names = BeaconProblem.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return list(
      of: ValueDecoder<BeaconProblem>(.choice(BeaconProblem.allCases.map(\.rawValue))) { node throws(DecodingIssue) in
        let text = try ValueDecoder<String>.text(example: "missing").decode(node)
        guard let problem = BeaconProblem(rawValue: text) else {
          throw DecodingIssue("\(text.quoted) is not a problem of a beacon; use some of \(names), or [] for none")
        }
        return problem
      }, example: "[\"missing\", \"weak\"]")
  }
}
