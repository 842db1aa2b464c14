import Events
import Instants
public import Records

extension DailyVisits {
  /// The numbers of the day, on D-Bus and in JSON.
  public var record: Record {
    var values = DailyValues()
    (values.day, values.region, values.kind) = (LocalCalendar.text(of: key.day), key.region, kind)
    (values.visits, values.ended) = (UInt64(clamping: visits), UInt64(clamping: ended))
    (values.timeInside, values.longestVisit) = (inside.seconds, longest.seconds)
    var hours = NamedCounts()
    for (hour, count) in visitsByHour.enumerated() { hours.append(Self.text(ofHour: hour), count) }
    values.visitsByHour = hours
    return values.record
  }

  /// Creates the numbers of a record; nil if it names no day or no region. A number that is missing or cannot be right is 0.
  public init?(_ record: Record) {
    let values = DailyValues(record)
    guard let day = values.day.flatMap({ LocalCalendar.day($0) }), let region = values.region else { return nil }
    self.init(Key(day: day, region: region), values.kind)
    func count(_ value: UInt64?) -> Int { value.flatMap { Int(exactly: $0) } ?? 0 }
    func span(_ seconds: Double?) -> Span { max(.zero, .seconds(seconds ?? 0)) }
    (visits, ended) = (count(values.visits), count(values.ended))
    (inside, longest) = (span(values.timeInside), span(values.longestVisit))
    let hours = values.visitsByHour?.entries ?? []
    for hour in 0..<24 { visitsByHour[hour] = count(hours.first { $0.name == Self.text(ofHour: hour) }?.count) }
  }

  /// The hour with two digits.
  public static func text(ofHour hour: Int) -> String { hour < 10 ? "0\(hour)" : "\(hour)" }
}

/// The values of a day at a border of the programs.
private struct DailyValues: RecordRepresentable {
  var day: String?
  var region: String?
  var kind: RegionKind?
  var visits: UInt64?
  var ended: UInt64?
  /// Seconds.
  var timeInside: Double?
  /// Seconds.
  var longestVisit: Double?
  /// The hours with visits, such as `09`.
  var visitsByHour: NamedCounts?

  static let fields: [RecordField<Self>] = [
    RecordField("day", \.day),
    RecordField("region", \.region),
    RecordField("regionKind", \.kind),
    RecordField("visits", \.visits),
    RecordField("ended", \.ended),
    RecordField("timeInside", \.timeInside, decimals: 3),
    RecordField("longestVisit", \.longestVisit, decimals: 3),
    RecordField("visitsByHour", \.visitsByHour),
  ]
}
