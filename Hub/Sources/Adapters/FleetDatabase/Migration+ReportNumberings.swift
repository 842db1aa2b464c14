extension Migration {
  /// The numbering of the newest report of each device, which reveals a clone without beacons.
  static let reportNumberings = Migration(
    name: "report numberings", up: "alter table device_state add column report_journal uuid",
    down: "alter table device_state drop column report_journal")
}
