import Locations

/// The files in which the daemon keeps its state, by its config and its source.
///
/// A source that is played brings the same events each time. It leaves nothing behind, unless the config names a journal.
public struct StateFiles: Hashable, Sendable {
  /// Whether the source is this machine, and not a capture, a simulation or a recorded walk.
  public let isLive: Bool
  /// The journal; nil keeps it in memory.
  public let journal: String?
  private let unitFolder: String?

  /// - Parameters:
  ///   - source: The source in use, which the command line may choose.
  ///   - unitFolder: The `StateDirectory` of the unit; nil for a daemon without one.
  ///   - usualFolder: Returns the folder for a journal that the config does not name. Not called for other journals.
  public init(_ configuration: Configuration, _ source: Source, unitFolder: String?, usualFolder: () -> String) {
    isLive =
      switch source {
      case .radio: true
      case .nothing: configuration.location.capture == nil
      case .capture, .simulator: false
      }
    journal = configuration.journal.path ?? (isLive ? "\(usualFolder())/journal.db" : nil)
    self.unitFolder = unitFolder
  }

  /// The folder of the journal; nil with it.
  private var folder: String? {
    journal.map { $0.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") }
  }

  /// The decisions about users; nil keeps them in memory.
  public var consent: String? { folder.map { "\($0)/consent.db" } }

  /// The offsets that were learned at venues; nil keeps them in memory.
  public var learned: String? { folder.map { "\($0)/state.db" } }

  /// The visits of each day; nil keeps them in memory.
  public var visits: String? { folder.map { "\($0)/visits.db" } }

  /// The addresses of places; nil keeps them in memory.
  public var addresses: String? { folder.map { "\($0)/addresses" } }

  /// The folder of the venues that clients save; nil refuses them.
  ///
  /// These do not come from the source, so that a daemon without a journal keeps them in the folder of its unit.
  public var venues: String? { (folder ?? unitFolder).map { "\($0)/venues" } }
}
