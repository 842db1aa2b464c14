import ConfigurationTree
import EventActions
import EventLoop
import FleetMessages
import Instants
import TOML

/// The rollout that a configuration contains: a drop-in and venues that the author of the fleet's configuration has signed.
///
/// The notifier verifies the signature. Every reader checks the keys again, so that the file can never set others.
public struct RolledOut: Sendable {
  let rollout: Rollout
  /// The end of its trial on `BootClock`, after which readers do not use it any more; nil if it is confirmed.
  public internal(set) var trialEnd: Span?

  init(_ signed: SignedRollout) throws(ConfigurationError) {
    do throws(FleetMessageError) { rollout = try Rollout(signed.envelope) } catch {
      throw Self.invalid("rollout", "cannot be read: \(error)")
    }
  }

  public var revision: Int64 { rollout.revision }

  /// The name in errors and origins, such as `rollout 7`.
  var name: String { "rollout \(revision)" }

  static func invalid(_ file: String, _ message: String) -> ConfigurationError {
    .invalid([ConfigurationProblem(file: file, line: nil, column: nil, message: message)])
  }

  /// Returns the values of the drop-in. Throws all keys that a rollout must not set.
  ///
  /// The readers allow each key that it may set: no commands, secrets, targets, paths or consent.
  func nodes(_ known: KeyRecorder, number: Int, files: [String]) throws(ConfigurationError) -> [String: ConfigurationNode] {
    let problems = ProblemList(files: files)
    var nodes: [String: ConfigurationNode] = [:]
    do throws(TOMLSyntaxError) { nodes = try TOMLParser.parse(rollout.dropIn, number: number) } catch {
      problems.report(error, inFile: number)
    }
    let allowed = known.keysInRollouts
    for (key, node) in nodes {
      guard let table = allowed.first(where: { $0.table == key }) else {
        let tables = allowed.map(\.table).joined(separator: ", ")
        problems.report(line: node.position?.sourceLine, "\(key.shortened): must not be in a rollout; it may have \(tables)")
        continue
      }
      for (inner, node) in node.tables.joined() where !table.keys.contains(inner) {
        problems.report(line: node.position?.sourceLine, "\(key): \(inner.shortened): is not a key that a rollout may set")
      }
    }
    try problems.throwIfAny()
    return nodes
  }

  /// Returns the venues with their texts. Throws those that are invalid, or that refer to the machine.
  func venueDocuments() throws(ConfigurationError) -> [(document: VenueDocument, text: String)] {
    var documents: [(VenueDocument, String)] = []
    var problems: [ConfigurationProblem] = []
    for venue in rollout.venues {
      let file = "\(name)/\(venue.name)"
      do throws(ConfigurationError) {
        guard let text = String(validating: venue.octets, as: UTF8.self) else { throw Self.invalid(file, "is not UTF-8") }
        let document = try VenueDocument.parse(text: text, name: file, readsFiles: false)
        problems += document.references.map { reference in
          let message = "\(reference.place): a venue of a rollout must not name files or apps of the machine; remove the key"
          return ConfigurationProblem(file: file, line: reference.line?.number, column: nil, message: message)
        }
        documents.append((document, text))
      } catch {
        guard case .invalid(let found) = error else { throw error }
        problems += found
      }
    }
    guard problems.isEmpty else { throw .invalid(problems) }
    return documents
  }
}

extension ConfigurationNode {
  /// The table, or the tables of the array.
  fileprivate var tables: [[String: ConfigurationNode]] {
    switch value {
    case .table(let nodes): [nodes]
    case .list(let elements): elements.flatMap(\.tables)
    default: []
    }
  }
}

// MARK: The configuration in use

extension MergedConfiguration {
  /// Reads the files of a configuration and its venues, with the rollout of the device.
  ///
  /// A rollout that is damaged, or with which the configuration is invalid, is left out: the document has the reasons. The configuration
  /// has to be valid without it, because it may go at any time.
  public static func effective(
    _ files: ConfigurationFiles, isOptional: Bool = false
  ) throws(ConfigurationError) -> (MergedConfiguration, ConfigurationDocument) {
    let base = try read(files, isOptional: isOptional)
    var document = try base.document()
    if let hub = document.configuration.hub, let key = hub.rolloutKey {
      do throws(ConfigurationError) {
        if let file = try StoredRollouts(in: files.rollouts) {
          document.leftOutRollout = file.endedTrial
          if let rollout = try file.rollout(for: hub, by: key) {
            return try base.completed(with: rollout, leavingOut: file.endedTrial)
          }
        }
      } catch {
        document.leftOutRollout = error.problems(in: files.rollouts)
      }
    }
    try document.readVenues()
    return (base, document)
  }

  /// Throws all problems of a configuration with a rollout that is not in use yet.
  public static func check(
    _ files: ConfigurationFiles, with rollout: SignedRollout, isOptional: Bool = false
  ) throws(ConfigurationError) {
    _ = try read(files, isOptional: isOptional).completed(with: RolledOut(rollout))
  }

  private func completed(
    with rollout: RolledOut, leavingOut problems: [ConfigurationProblem] = []
  ) throws(ConfigurationError) -> (MergedConfiguration, ConfigurationDocument) {
    let names = files + [rollout.name]
    let keys = KeyRecorder.ofConfiguration()
    let nodes = try rollout.nodes(keys, number: files.count, files: names)
    let merged = MergedConfiguration(files: names, nodes: keys.merged(self.nodes, with: nodes), renamedKeys: renamedKeys)
    var document = try merged.document()
    (document.rollout, document.leftOutRollout) = (rollout, problems)
    try document.readVenues()
    return (merged, document)
  }
}

extension ConfigurationError {
  /// The problems; one about `file` if it cannot be read.
  fileprivate func problems(in file: String) -> [ConfigurationProblem] {
    if case .invalid(let problems) = self { return problems }
    return [ConfigurationProblem(file: file, line: nil, column: nil, message: "\(self)")]
  }
}

extension Configuration {
  fileprivate var hub: HubSettings? {
    notifier.targets.lazy.compactMap { if case .hub(let hub) = $0.means { hub } else { nil } }.first
  }
}

extension ConfigurationFiles {
  /// The configuration of the services, and the file of their rollouts, which the notifier may write.
  private static let ofServices = ("/etc/beaconmon/beaconmon.toml", "/var/lib/beaconmon-rollout/rollouts")

  /// The file of the rollouts, which may not exist. For any file but that of the services, it is beside it.
  public var rollouts: String {
    Folder.absolute(main) == Self.ofServices.0 ? Self.ofServices.1 : Self.folder(of: main) + "rollouts"
  }
}
