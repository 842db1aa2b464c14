/// A field by which the systemd journal can be searched: `journalctl REGION=entrance` (systemd.journal-fields(7)).
public enum LogField: String, CaseIterable, Sendable {
  /// Which `LogMessage` it is.
  case messageID = "MESSAGE_ID"
  case region = "REGION"
  /// `enter`, `exit` and so on.
  case event = "EVENT"
  case sequence = "SEQUENCE"
  case adapter = "ADAPTER"
}
