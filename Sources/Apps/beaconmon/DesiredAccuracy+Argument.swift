import ArgumentParser
import LocationArbitration

extension DesiredAccuracy {
  /// Parses an argument.
  static func parse(_ text: String) throws -> DesiredAccuracy {
    if let accuracy = DesiredAccuracy(className: text) { return accuracy }
    guard let accuracy = DesiredAccuracy(metres: try Metres.parse(text)) else {
      throw ValidationError("\"\(text)\" is not an accuracy; write a length such as 10m, or one of \(classNames.joined(separator: ", "))")
    }
    return accuracy
  }
}
