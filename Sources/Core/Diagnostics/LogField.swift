/// A field for searches in the systemd journal: `journalctl REGION=entrance` (systemd.journal-fields(7)).
public enum LogField: String, CaseIterable, Sendable {
  /// The id of the `LogMessage`.
  case messageID = "MESSAGE_ID"
  case region = "REGION"
  /// `enter`, `exit` and so on.
  case event = "EVENT"
  case sequence = "SEQUENCE"
  case adapter = "ADAPTER"
}
