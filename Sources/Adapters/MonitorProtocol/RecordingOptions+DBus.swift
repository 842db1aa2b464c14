import Beacons
import DBus
import Instants

extension RecordingOptions {
  /// Reads `a{sv}`: `all` (b), `limitSize` (an integer of any type, octets), `duration` (s).
  public init(_ options: DBusValue) throws(DBusError) {
    self.init()
    try OptionType.check(options, ["all": .flag, "limitSize": .integer, "duration": .string])
    for entry in options.entries ?? [] {
      let (key, value) = (entry.key.string ?? "", entry.value)
      switch key {
      case "all":
        guard let flag = value.boolean else { throw .monitor(.invalidOptions, "all must be a boolean") }
        keepsEverything = flag
      case "limitSize":
        guard let octets = value.integer(UInt64.self), octets >= Self.smallestLimitSize.octets else {
          throw .monitor(.invalidOptions, "limitSize must be a number of bytes, \(Self.smallestLimitSize.octets) at least")
        }
        limitSize = DataSize(octets: octets)
      case "duration":
        guard let span = value.string.flatMap({ Span(text: $0) }), (Span.zero...Self.longestDuration).contains(span) else {
          throw .monitor(.invalidOptions, "duration must be a text such as \"10m\", \(Self.longestDuration.text) at most")
        }
        duration = span
      default:
        throw .monitor(.invalidOptions, "unknown option \"\(key)\"; StartRecording has all, limitSize and duration")
      }
    }
  }

  public var dbusValue: DBusValue {
    .options(["all": .boolean(keepsEverything), "limitSize": .uint64(limitSize.octets), "duration": .string(duration.text)])
  }
}
