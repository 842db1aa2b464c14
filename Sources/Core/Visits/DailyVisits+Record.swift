import Events
import Instants
public import Records

extension DailyVisits {
  /// The numbers of the day, on D-Bus and in JSON.
  ///
  /// Times are in seconds, and `visitsByHour` has the hours with visits, such as `09`.
  public var record: Record {
    var hours = Record()
    for (hour, count) in visitsByHour.enumerated() where count > 0 {
      hours.append(Self.text(ofHour: hour), .count(UInt64(clamping: count)))
    }
    return Record([
      "day": .text(LocalCalendar.text(of: key.day)), "region": .text(key.region), "regionKind": kind.map { .text($0.rawValue) },
      "visits": .count(UInt64(clamping: visits)), "ended": .count(UInt64(clamping: ended)),
      "timeInside": .quantity(inside.seconds, decimals: 3), "longestVisit": .quantity(longest.seconds, decimals: 3),
      "visitsByHour": .record(hours),
    ])
  }

  /// Creates the numbers of a record; nil if it names no day or no region. A number that is missing or cannot be right is 0.
  public init?(_ record: Record) {
    guard let day = record["day"]?.text.flatMap({ LocalCalendar.day($0) }), let region = record["region"]?.text else { return nil }
    self.init(Key(day: day, region: region), record["regionKind"]?.text.flatMap { RegionKind(rawValue: $0) })
    func count(_ value: RecordValue?) -> Int { value?.number.flatMap { Int(exactly: $0.rounded()) }.map { max(0, $0) } ?? 0 }
    func span(_ value: RecordValue?) -> Span { max(.zero, .seconds(value?.number ?? 0)) }
    (visits, ended) = (count(record["visits"]), count(record["ended"]))
    (inside, longest) = (span(record["timeInside"]), span(record["longestVisit"]))
    guard let hours = record["visitsByHour"]?.record else { return }
    for hour in 0..<24 { visitsByHour[hour] = count(hours[Self.text(ofHour: hour)]) }
  }

  /// The hour with two digits.
  public static func text(ofHour hour: Int) -> String { hour < 10 ? "0\(hour)" : "\(hour)" }
}
