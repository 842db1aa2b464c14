import TestSupport

/// A daemon with one sighting, and a client of it.
struct SessionScene {
  let stage: Stage
  let feed: CaptureFeed
  let daemon: RunningProgram
  let client: BusClient

  /// - Parameter files: texts by name, in the folder of the config.
  init(config: String = Stage.hall, files: [String: String] = [:]) throws {
    stage = try Stage()
    for (name, text) in files { _ = try stage.file(name, text) }
    feed = try CaptureFeed(stage)
    client = try stage.listener()
    daemon = try stage.daemon(config: try stage.file("config.toml", config), source: feed.path)
    try feed.hear(minor: 1, at: 0)
    _ = try client.next("an enter") { $0.name == "RegionEvent" }
  }

  /// Returns another client, which receives every broadcast.
  func stranger() throws -> BusClient { try stage.listener() }
}
