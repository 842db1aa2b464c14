import ConfigurationTree
import Monitoring
import Regions

extension Region {
  /// Reads a program's definition by the rules of the file's `[[region]]`, with its keys in camelCase.
  public init(definition: [String: ConfigurationNode], owner: RegionOwner) throws(RegionDefinitionError) {
    let problems = ProblemList(file: "")
    var table = TableReader(definition, line: nil, place: [], problems: problems, spelling: .camel)
    let identifier = table.require("identifier", as: .identifier)
    let region = RegionReader.region(&table, identifier: identifier ?? "", owner: owner)
    table.finish()
    do throws(ConfigurationError) { try problems.throwIfAny() } catch { throw RegionDefinitionError(error) }
    guard let region else { throw RegionDefinitionError("missing key \"uuid\"") }
    self = region
  }
}

/// The problems of a region that a program defines.
public struct RegionDefinitionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problems and their remedies in one line, each with its key: `major: …; missing key "uuid"`.
  public let description: String

  fileprivate init(_ error: ConfigurationError) {
    switch error {
    case .unreadable, .unwritable: self.init(error.description)
    case .invalid(let problems): self.init(problems.map(\.message).joined(separator: "; "))
    }
  }

  fileprivate init(_ text: String) {
    description = text.escapingControlCharacters
  }
}

/// The rules of the config for the regions that clients define.
public struct RegionDefinitions: RegionDecoder {
  public init() {}

  public func region(_ definition: [String: ConfigurationNode], of owner: RegionOwner) throws(RegionRefusal)
    -> Region
  {
    do throws(RegionDefinitionError) {
      return try Region(definition: definition, owner: owner)
    } catch {
      throw RegionRefusal(error.description)
    }
  }
}
