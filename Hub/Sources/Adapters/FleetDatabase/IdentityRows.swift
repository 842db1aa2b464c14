import Retention

/// The rows of a table that are about one identity, and their erasure. `all` has every table with an identity.
///
/// A condition and a change refer to the table `identity`, which has one row: `name`, and `keys` of the rows that stand for the identity. A
/// test compares the list with the columns of the database, so that a new column must be named here.
struct IdentityRows: Sendable {
  enum Erasure: Sendable {
    case delete
    /// Sets columns, and keeps the rest of the row.
    case change(String)
    /// The raw digests are written again without the tag.
    case rewrite
  }

  let kind: StoredIdentity.Kind
  let table: String
  /// The columns that have the identity.
  let columns: [String]
  let condition: String
  let erasure: Erasure
  /// The condition for rows that were stored since the time `$3`; nil for a table that is searched quickly.
  ///
  /// Other rows of a large table are erased before workers have to wait. Workers never change rows of these tables.
  let newest: String?

  private init(
    _ kind: StoredIdentity.Kind, _ table: String, _ columns: [String], _ condition: String, _ erasure: Erasure = .delete,
    newest: String? = nil
  ) {
    (self.kind, self.table, self.columns, self.condition, self.erasure) = (kind, table, columns, condition, erasure)
    self.newest = newest
  }

  /// The rows of a table that has the key of a tag, a device or a person.
  private static func keyed(
    _ kind: StoredIdentity.Kind, _ table: String, _ column: String, _ others: [String] = [], newest: String? = nil
  ) -> Self {
    Self(kind, table, [column] + others, "\(column) in (select unnest(keys) from identity)", newest: newest)
  }

  /// The device as the owner or a recipient of a share of its site.
  private static let partyOfDevice = "(select 'device:' || split_part(name, '.', 2) from identity)"
  private static let siteOfDevice = "(select s.site_id from site s join identity i on s.name = split_part(i.name, '.', 1))"
  private static let received = "received_at >= $3::timestamptz"
  private static let masked = Erasure.change("subject = 'erased', detail = ''")

  /// The subject of an alert about a tag is SITE/UUID/MAJOR/MINOR.
  private static let tagSubject = "right(subject, -position('/' in subject)) = (select name from identity) and subject like '%/%'"
  private static let deviceOfAlert = "site || '.' || device = (select name from identity)"

  /// The rows of all tables, those that others refer to last.
  static let all: [IdentityRows] = [
    keyed(.tag, "share", "beacon_id", ["purpose"]),
    keyed(.tag, "beacon_owner", "beacon_id"),
    keyed(.tag, "beacon_name", "beacon_id", ["name"]),
    keyed(.tag, "room_change", "beacon_id", ["reason"]),
    Self(
      .tag, "visit", ["pseudonym"], "(site_id, pseudonym) in (select site_id, fleet_pseudonym(site_id || '/' || name) from site_tag)",
      newest: "written_at >= date_trunc('hour', $3::timestamptz)"),
    Self(.tag, "event", ["body"], "\(EventSQL.tag) = (select name from identity)", newest: received),
    Self(.tag, "digest", ["body"], "false", .rewrite),
    Self(.tag, "alert_event", ["text"], "alert_id in (select alert_id from alert where \(tagSubject))"),
    Self(.tag, "alert", ["subject", "text"], tagSubject),
    Self(.tag, "alert_mute", ["subject"], tagSubject),
    Self(.tag, "audit", ["subject", "detail"], "subject = (select name from identity)", masked),
    Self(.tag, "refused_event", ["octets"], "fleet_tag_in(octets) = (select name from identity)"),
    keyed(.tag, "beacon", "beacon_id", ["uuid", "room_state"]),

    keyed(.device, "share", "device_id", ["position", "position_journal", "purpose"]),
    keyed(.device, "share_recipient", "device_id", ["name"]),
    keyed(.device, "share_answer", "device_id"),
    Self(
      .device, "share_log", ["actor"], "site_id = \(siteOfDevice) and actor = \(partyOfDevice)", .change("actor = 'erased', detail = ''")),
    Self(
      .device, "share_log", ["detail"], "site_id = \(siteOfDevice) and \(isOffered(to: partyOfDevice, in: "detail"))",
      .change("detail = ''")),
    Self(
      .device, "device_message", ["payload"],
      "device_id in (select device_id from device where site_id = \(siteOfDevice)) and \(isNotice(about: partyOfDevice))"),
    keyed(.device, "digest", "device_id", ["journal"], newest: received),
    keyed(.device, "event", "device_id", ["journal"], newest: received),
    keyed(.device, "stream", "device_id", ["journal"]),
    keyed(.device, "device_state", "device_id", ["journal", "report_journal"]),
    keyed(.device, "device_report", "device_id", ["version", "configuration", "problems", "rollout_text"]),
    keyed(.device, "rollout_device", "device_id", ["known_problems", "detail"]),
    // The signature is about the whole content, so that nothing of it can be left out.
    Self(.device, "device_message", ["payload"], "kind = 1 and \(isRolloutNamingDevice("payload"))"),
    Self(.device, "rollout", ["content", "audience"], isRolloutNamingDevice("content")),
    Self(.device, "rollout", ["reason"], isTextNamingDevice("reason"), .change("reason = ''")),
    keyed(.device, "device_message", "device_id", ["payload"]),
    keyed(.device, "refused_event", "device_id", ["journal"]),
    Self(.device, "refused_event", ["topic", "detail"], "fleet_address_in(topic) = (select name from identity)"),
    keyed(.device, "refusal", "device_id"),
    Self(.device, "refusal", ["detail"], isTextNamingDevice("detail"), .change("detail = 'erased'")),
    Self(
      .device, "room_change", ["reason"],
      "(reason ->> 'device')::int4 in (select unnest(keys) from identity) or (reason ->> 'formerDevice')::int4 in (select unnest(keys) from identity)",
      .change("reason = reason - 'device' - 'formerDevice' - 'text'"), newest: "recorded_at >= $3::timestamptz"),
    Self(.device, "beacon", ["device_id"], "device_id in (select unnest(keys) from identity)", .change("device_id = 0")),
    Self(.device, "alert_event", ["text"], "alert_id in (select alert_id from alert where \(deviceOfAlert))"),
    Self(.device, "alert", ["device", "text"], deviceOfAlert),
    Self(.device, "alert_mute", ["subject"], "subject = (select name from identity)"),
    Self(.device, "alert_presence", ["part"], "part = (select name from identity)"),
    Self(.device, "audit", ["subject", "detail"], "subject = (select name from identity)", masked),
    Self(
      .device, "audit", ["detail"], "action = 'rollout' and \(isTextNamingDevice("detail"))", .change("detail = ''")),
    keyed(.device, "device", "device_id", ["name", "certificate", "room"]),

    keyed(.person, "share", "person_id", ["purpose"]),
    keyed(.person, "beacon_owner", "person_id"),
    Self(
      .person, "share_recipient", ["person_id", "name"],
      "person_id in (select unnest(keys) from identity) or lower(name) = lower((select i.name from identity i))"),
    keyed(.person, "share_answer", "person_id"),
    Self(
      .person, "share_log", ["actor"], "lower(actor) = lower((select name from identity))", .change("actor = 'erased', detail = ''")),
    Self(
      .person, "share_log", ["detail"], isOffered(to: "(select lower(name) from identity)", in: "lower(detail)"), .change("detail = ''")),
    Self(.person, "device_message", ["payload"], isNotice(about: "(select lower(name) from identity)")),
    keyed(.person, "person_session", "person_id", ["session"]),
    keyed(.person, "person_role", "person_id"),
    Self(.person, "audit", ["subject", "detail"], "lower(subject) = lower((select name from identity))", masked),
    Self(.person, "audit", ["actor"], "lower(actor) = lower((select name from identity))", .change("actor = 'erased'")),
    Self(.person, "alert_mute", ["actor"], "lower(actor) = lower((select name from identity))", .change("actor = 'erased'")),
    Self(.person, "rollout", ["actor"], "lower(actor) = lower((select name from identity))", .change("actor = 'erased'")),
    Self(
      .person, "rollout", ["reason"], "phase = 'stopped' and lower(reason) = lower((select 'by ' || name from identity))",
      .change("reason = ''")),
    keyed(.person, "person", "person_id", ["name", "password"]),
  ]

  /// Columns of texts, octets or keys that have no identity of a tag, a device or a person.
  static let withoutIdentity: [String: Set<String>] = [
    "alert": ["kind", "site"], "alert_delivery": ["failure", "target"], "alert_disk": ["machine", "path"], "alert_mute": ["kind"],
    "fleet": ["identity"], "outage": ["cause", "part"],
    "audit": ["action", "site_id"], "beacon": ["room", "site_id"], "device": ["site_id"], "person_role": ["role", "site_id"],
    "queue": ["worker"], "refusal": ["reason"], "refused_event": ["reason"], "retention": ["failure", "kind"],
    "rollout": ["interrupted", "phase"],
    "room_change": ["from_room", "to_room"], "room_survey": ["corrections", "octets", "room", "site_id"], "schema_version": ["name"],
    "share": ["share_id", "site_id"], "share_answer": ["share_id"],
    "share_deleted": ["device_id"], "share_log": ["action", "share_id", "site_id"], "share_recipient": ["role", "share_id"],
    "site": ["name", "offsets", "site_id", "title"], "site_venue": ["levels", "site_id", "venue"],
    "stream": ["gaps"], "suppression": ["hash"],
    "suppression_key": ["inner_pad", "outer_pad"], "visit": ["room", "site_id"], "visit_key": ["inner_pad", "outer_pad"],
    "worker": ["worker"],
  ]

  /// The start of each statement: the identity, and the pairs of a site and the name of a tag.
  static let prefix = """
    with identity as (select $1::text as name, $2::int4[] as keys), site_tag as (select site_id, identity.name from site cross join identity)
    """

  /// Returns the statement that erases the rows and returns their number; nil for digests.
  ///
  /// - Parameter isNewest: whether it erases the rows that were stored since the time `$3`, and not all
  func erasing(isNewest: Bool) -> String? {
    let rows = isNewest ? newest.map { "(\(condition)) and \($0)" } ?? condition : condition
    return switch erasure {
    case .delete: "\(Self.prefix), changed as (delete from \(table) where \(rows) returning 1) select count(*) from changed"
    case .change(let change):
      "\(Self.prefix), changed as (update \(table) set \(change) where \(rows) returning 1) select count(*) from changed"
    case .rewrite: nil
    }
  }
}
