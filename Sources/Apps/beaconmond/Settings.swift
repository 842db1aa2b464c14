import BeaconAdvertising
import Beacons
import Captures
import DBus
import EventLoop
import Events
import Failures
import Instants
import Journal
import Locations
import Logging
import MonitorConfiguration
import Monitoring
import ProgramSupport
import Proximity
import RadioHealth
import RadioReceivers
import Ranging
import Simulation

/// The settings of the command line, and the config file that goes with them.
struct Settings {
  let bus: BusAddress
  let configFile: ConfigurationFile
  let isSession: Bool
  private let options: SourceOptions
  /// The pace of the command line; nil for the config's speed.
  private let pace: CapturePlayback.Pace?

  init(_ flags: Flags) throws(Failure) {
    bus = try flags.busAddress()
    configFile = ConfigurationFile(flag: flags["config"], isSession: flags.has("session"))
    isSession = flags.has("session")
    let source = try flags["source"].map { (text) throws(Failure) in
      do throws(SourceError) {
        return try Source(text)
      } catch {
        throw Failure(.usage, "--source: \(error)")
      }
    }
    pace = try flags["speed"].map { (text) throws(Failure) in
      if text == "max" { return .unpaced }
      guard let speed = Double(text), speed > 0, speed <= 1e6 else {
        throw Failure(.usage, "--speed: \"\(text)\" is not a number greater than 0 and up to 1000000, or \"max\"")
      }
      return .speed(speed)
    }
    let seed = try flags["seed"].map { (text) throws(Failure) in
      guard let seed = UInt64(text) else { throw Failure(.usage, "--seed: \"\(text)\" is not a whole number from 0 to \(UInt64.max)") }
      return seed
    }
    let duration = try flags["duration"].map { (text) throws(Failure) in
      guard let duration = Span(text: text), duration > .zero else {
        throw Failure(.usage, "--duration: write a number and ms, s, m, h or d, such as 10m")
      }
      return duration
    }
    options = SourceOptions(source: source, seed: seed, duration: duration, isSession: isSession)
  }

  /// Returns the document with the source that is in use; throws if the daemon cannot start with it.
  func completed(_ document: ConfigurationDocument) throws(Failure) -> ConfigurationDocument { try options.completed(document) }

  /// Returns the document of a reload with the source that is in use.
  ///
  /// Throws if the daemon cannot start with it, or with the files of its source. A start opens these files, which no reload does.
  func reloaded(_ document: ConfigurationDocument) throws(Failure) -> ConfigurationDocument {
    let completed = try completed(document)
    let walk = completed.configuration.location.capture?.path
    switch try SourceOptions.source(of: completed) {
    case .radio: break
    case .nothing: try CaptureSource.check(beacons: nil, walk: walk)
    case .simulator(let path): if !CaptureFile.isStream(path) { _ = try scenario(path) }
    case .capture(let path): try CaptureSource.check(beacons: path, walk: walk)
    }
    return completed
  }

  /// Whether the command line sets the speed of a capture.
  var hasOwnSpeed: Bool { pace != nil }

  /// Opens the source of a completed document.
  func source(_ document: ConfigurationDocument, _ loop: Loop, log: Logger) throws(Failure) -> any RecordableSource {
    let configuration = document.configuration
    let (adapters, pace, walk) = (configuration.adapters, pace(configuration), configuration.location.capture?.path)
    switch try SourceOptions.source(of: document) {
    case .radio(let backend): return try RadioSightings(loop, backend, adapters: adapters, namesSystemctl: !isSession, log: log)
    case .nothing:
      guard walk != nil else { return NoReceivers(loop) }
      return try CaptureSource(loop, beacons: nil, walk: walk, pace: pace, adapters: [], log: log)
    case .simulator(let path):
      return try CaptureSource(
        loop, try scenario(path), path: path, seed: options.seed ?? 1, pace: pace, adapters: adapters, log: log)
    case .capture(let path): return try CaptureSource(loop, beacons: path, walk: walk, pace: pace, adapters: adapters, log: log)
    }
  }

  private func scenario(_ path: String) throws(Failure) -> Scenario {
    do throws(ConfigurationError) {
      var scenario = try Scenario.read(file: path)
      if let duration = options.duration { scenario.end(after: duration) }
      return scenario
    } catch {
      throw Failure(error)
    }
  }

  /// Returns the multiple of the recorded speed; nil for as fast as possible.
  func speed(_ configuration: Configuration) -> Double? {
    switch pace(configuration) {
    case .speed(let speed): speed
    case .unpaced: nil
    }
  }

  private func pace(_ configuration: Configuration) -> CapturePlayback.Pace { pace ?? .speed(configuration.captureSpeed) }

  /// Returns the files of the daemon's state.
  func files(_ document: ConfigurationDocument) throws(Failure) -> StateFiles {
    StateFiles(document.configuration, try SourceOptions.source(of: document), unitFolder: givenFolder) { stateFolder }
  }

  /// Returns the place of the journal.
  func journal(_ configuration: Configuration, _ files: StateFiles) -> JournalStorage {
    let settings = configuration.journal
    return JournalStorage(
      path: files.journal, Retention(age: settings.retention, size: Int(clamping: settings.size.octets)), isLive: files.isLive,
      makesFolder: isSession && settings.path == nil)
  }

  private var givenFolder: String? {
    ChildCommand.ownEnvironment()["STATE_DIRECTORY"].flatMap { $0.split(separator: ":").first.map(String.init) }
  }

  /// The unit's StateDirectory, or the user's folder of the XDG Base Directory Specification.
  private var stateFolder: String {
    if let folder = givenFolder { return folder }
    guard isSession else { return "/var/lib/beaconmon" }
    // If the folder cannot be made, the files in it cannot be opened, which the log and `status` report. The journal retries.
    try? Folder.make(UserFolder.state)
    return UserFolder.state
  }
}
