import Events
import Failures
import Instants
import Locations
import RadioHealth
import Regions

/// The choices of the daemon's command line about its source of beacons.
public struct SourceOptions: Hashable, Sendable {
  /// The source; nil if the config names it.
  public var source: Source?
  /// The random seed of a scenario; nil for the default.
  public var seed: UInt64?
  /// The time after which a scenario ends; nil for its own end.
  public var duration: Span?
  /// Whether the daemon serves the session of a user.
  public var isSession: Bool

  public init(source: Source? = nil, seed: UInt64? = nil, duration: Span? = nil, isSession: Bool = false) {
    self.source = source
    self.seed = seed
    self.duration = duration
    self.isSession = isSession
  }

  /// Returns the document with the source that is in use: that of the command line, of the config, or the default.
  ///
  /// Throws if there is none, or if it contradicts the command line or the config. The start and each reload call this, so that a reload
  /// accepts only what the next start accepts.
  public func completed(_ document: ConfigurationDocument) throws(Failure) -> ConfigurationDocument {
    var document = document
    // A trial in a session needs no config, and `beaconmon region add circle --session` begins one without a source.
    document.configuration.source = source ?? document.configuration.source ?? (isSession ? .radio(.auto) : nil)
    try check(document)
    return document
  }

  /// Returns the source of a completed document; throws if there is none.
  public static func source(of document: ConfigurationDocument) throws(Failure) -> Source {
    if let source = document.configuration.source { return source }
    throw document.failure("missing key \"source\"; add source = \"auto\", or use --source auto")
  }

  private func check(_ document: ConfigurationDocument) throws(Failure) {
    let source = try Self.source(of: document)
    guard source.isSimulated || seed == nil && duration == nil else {
      throw Failure(.usage, "--seed and --duration require --source simulator:FILE")
    }
    guard source.playsWalks || document.configuration.location.capture == nil else {
      throw document.failure("location: capture: \(LocationSettings.needsRecording)")
    }
    if source == .nothing { try document.checkWithoutBeacons() }
  }
}

extension Source {
  /// Whether a recorded walk can play beside the source, whose beacons are recorded too or absent.
  var playsWalks: Bool {
    switch self {
    case .capture, .nothing: true
    case .radio, .simulator: false
    }
  }
}

extension ConfigurationDocument {
  /// Throws if the config needs beacons or has nothing to do, when the command line selects a source without beacons.
  fileprivate func checkWithoutBeacons() throws(Failure) {
    if let region = configuration.regions.first(where: { $0.kind == .beacon }) {
      throw failure("region \(region.identifier.quoted): has beacons, but --source none disables scanning; remove the region")
    }
    guard configuration.worksWithoutBeacons else { throw failure(Configuration.hasNothingToDo) }
  }

  fileprivate func failure(_ message: String) -> Failure { Failure(.config, "\(problem(nil, message))") }
}
