import ArgumentParser

/// The options for the format of times on a terminal.
struct TimeOptions: ParsableArguments {
  @Flag(help: "Show times in UTC on a terminal too, where they are in local time otherwise.")
  var utc = false
}
