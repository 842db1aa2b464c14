import ArgumentParser

/// How times are shown on a terminal.
struct TimeOptions: ParsableArguments {
  @Flag(help: "Show times in UTC on a terminal too, where they are in local time otherwise.")
  var utc = false
}
