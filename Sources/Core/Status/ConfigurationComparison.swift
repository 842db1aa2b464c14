import Events
import Instants

/// The differences between files of a configuration and what the daemon runs, as far as its status describes it.
public struct ConfigurationComparison: Hashable, Sendable {
  /// The files as they are now.
  public struct Files: Sendable {
    /// The name of the configuration in a sentence.
    public var title: String
    /// The text that `MonitorStatus.Configuration.digest` has for the same keys and values.
    public var digest: String
    /// The paths, the main file first, each with the time of its last change, if known.
    public var files: [(path: String, changed: Instant?)]
    /// The identifiers of the regions.
    public var regions: [String]

    public init(title: String, digest: String, files: [(String, Instant?)], regions: [String]) {
      (self.title, self.digest, self.files, self.regions) = (title, digest, files.map { (path: $0.0, changed: $0.1) }, regions)
    }
  }

  /// Whether the daemon runs the values of the files.
  public let isSame: Bool
  /// Lines about the differences, or the sentence that there are none.
  public let text: String

  /// Creates a comparison; nil if the status has no digest.
  ///
  /// - Parameter time: returns a time as text.
  public init?(of files: Files, with status: MonitorStatus, time: (Instant) -> String) {
    guard let running = status.configuration, let digest = running.digest else { return nil }
    let read = running.time.map { ", read at \(time($0))" } ?? ""
    isSame = digest == files.digest && running.needsRestart != true
    guard digest != files.digest else {
      let restart = "changes to source, capture-speed, [location.capture] or [journal] require \"systemctl restart beaconmond\""
      text =
        isSame
        ? "beaconmond runs \(files.title)\(read)\n"
        : "beaconmond has read \(files.title)\(read), but does not run all of it: \(restart)\n"
      return
    }
    var lines = ["beaconmond runs another configuration than \(files.title)\(read)"]
    if let refused = status.refusedReload {
      lines.append("reload refused at \(refused.time.map(time) ?? "an unknown time"): \(refused.reason ?? "no reason is known")")
    }
    let names = running.files?.compactMap(\.path) ?? []
    let paths = files.files.map(\.path)
    lines += names.filter { !paths.contains($0) }.map { "- \($0): was read, and is not one of the files now" }
    lines += paths.filter { !names.contains($0) }.map { "+ \($0): was not read" }
    lines += files.files.filter { names.contains($0.path) }.compactMap { file in
      guard let changed = file.changed, let read = running.time, changed > read else { return nil }
      return "+ \(file.path): changed at \(time(changed))"
    }
    if let regions = status.regions?.compactMap(\.identifier) {
      lines += regions.filter { !files.regions.contains($0) }.map { "- region \"\($0)\"" }
      lines += files.regions.filter { !regions.contains($0) }.map { "+ region \"\($0)\"" }
    }
    lines.append("\"systemctl reload beaconmond\" applies the files; changes to source and [journal] require a restart")
    text = lines.map { $0 + "\n" }.joined()
  }
}
