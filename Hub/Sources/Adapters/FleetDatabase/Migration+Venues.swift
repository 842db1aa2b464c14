extension Migration {
  /// The venues of sites, as JSON for the page. The limit is that of `SitePlan`.
  static let venues = Migration(
    name: "venues",
    up: """
      create table site_venue(
        site_id int4 primary key references site,
        venue text not null,
        levels json not null check (octet_length(levels::text) <= 8388608),
        stored_at timestamptz not null default now());
      """,
    down: """
      drop table site_venue;
      """,
    discards: [.rows("site_venue")])
}
