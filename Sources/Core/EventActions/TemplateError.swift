/// An error in a template. Positions count characters from 1.
public enum TemplateError: Error, Hashable, CustomStringConvertible {
  /// The name in braces is not a placeholder.
  case unknownPlaceholder(String)
  case unclosedBrace(position: Int)
  case strayBrace(position: Int)

  public var description: String {
    switch self {
    case .unknownPlaceholder(let name):
      "{\(name.count > 64 ? name.prefix(64) + "..." : name[...])} is not a placeholder; use \(Self.placeholders), or {{ and }} for braces"
    case .unclosedBrace(let position): "the { at position \(position) is never closed; write {{ for a brace"
    case .strayBrace(let position): "the } at position \(position) has no opening brace; write }} for a brace"
    }
  }

  private static let placeholders = Template.Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
}
