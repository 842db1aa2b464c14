import Replays
import Testing

/// The names of compared files.
@Suite struct PathNamesTests {
  @Test(arguments: [
    (["/etc/beaconmon/beaconmon.toml"], ["beaconmon.toml"]),
    (["now.toml", "tuned.toml"], ["now.toml", "tuned.toml"]),
    (["a/site.toml", "b/site.toml", "other.toml"], ["a/site.toml", "b/site.toml", "other.toml"]),
    (["x/a/site.toml", "y/a/site.toml", "y/b/site.toml"], ["x/a/site.toml", "y/a/site.toml", "b/site.toml"]),
    // No end of the first path is that of it alone.
    (["site.toml", "a/site.toml"], ["site.toml", "a/site.toml"]),
    (["a.toml", "a.toml"], ["a.toml", "a.toml"]),
    (["/"], [""]),
    ([], []),
  ])
  func `each path has its shortest end that no other path has`(paths: [String], names: [String]) {
    #expect(PathNames.distinct(paths) == names)
  }
}
