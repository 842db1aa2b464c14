import ArgumentParser
import Instants

extension Span {
  /// Parses an argument.
  static func parse(_ text: String) throws -> Span {
    guard let span = Span(text: text) else {
      throw ValidationError("\"\(text)\" is not a duration; write a number and ms, s, m or h, such as 10m")
    }
    return span
  }
}
