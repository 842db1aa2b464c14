import ArgumentParser

/// The options for the format of times on a terminal.
struct TimeOptions: ParsableArguments {
  @Flag(help: "Show times in UTC, which are local on a terminal otherwise.")
  var utc = false
}
