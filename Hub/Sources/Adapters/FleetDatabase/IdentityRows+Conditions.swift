/// Conditions that compare whole names: `pre.d1` is not a part of `pre.d10`, nor `al` of `alice`.
extension IdentityRows {
  /// Whether the detail of an offer, `PURPOSE: NAME, NAME`, has a recipient.
  static func isOffered(to name: String, in detail: String) -> String {
    "action = 'offer' and \(name) = any(string_to_array(regexp_replace(\(detail), '^.*: ', ''), ', '))"
  }

  /// Whether a message is a notice of shares that has an owner or a recipient, whatever the case of a person's name.
  static func isNotice(about name: String) -> String {
    let notice = "lower(convert_from(payload, 'UTF8'))::jsonb"
    let arguments = "jsonb_build_object('name', \(name))"
    return """
      case when kind = 2 and substring(payload for 1) = '{' then
        jsonb_path_exists(\(notice), '$.offers[*].owner ? (@ == $name)', \(arguments))
        or jsonb_path_exists(\(notice), '$.shares[*].recipients[*].name ? (@ == $name)', \(arguments)) else false end
      """
  }

  /// Whether a text has the name of the device, or that of its user at the broker.
  static func isTextNamingDevice(_ text: String) -> String {
    "\(text) ~ (select '(?<![A-Za-z0-9-])' || replace(name, '.', '[.]') || '(?![A-Za-z0-9-])' from identity)"
  }

  /// Whether a rollout, which is CBOR, has the device in its audience, or as a word in its texts.
  ///
  /// An entry of the audience is a text, which begins with its length (RFC 8949, section 3.1).
  static func isRolloutNamingDevice(_ octets: String) -> String {
    """
    (position((
        select case when octet_length(name) < 24 then set_byte('\\x00', 0, 96 + octet_length(name))
          else '\\x78'::bytea || set_byte('\\x00', 0, octet_length(name)) end || convert_to(name, 'UTF8') from identity) in \(octets)) > 0
      or \(isTextNamingDevice("regexp_replace(encode(\(octets), 'escape'), '[\\\\]([0-7]{3}|[\\\\])', ' ', 'g')")))
    """
  }
}
