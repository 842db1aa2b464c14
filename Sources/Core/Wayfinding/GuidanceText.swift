public import Instants
public import RouteReports

/// Writes lengths, times and the sentences of a straight way in the reader's language.
public struct GuidanceText: Sendable {
  private let isMetric: Bool
  let book: Phrasebook

  /// - Parameters:
  ///   - languages: the reader's language tags, the best one first.
  ///   - isMetric: whether lengths are metres; feet otherwise.
  public init(languages: [String], isMetric: Bool = true) {
    self.isMetric = isMetric
    book = .preferring(languages)
  }

  /// The language of the texts, such as `en`.
  public var language: String { book.language }
  /// The mark between whole numbers and decimals.
  public var decimalMark: String { book.decimalMark }

  private static let metresPerFoot = 0.3048
  private static let metresPerMile = 1609.344

  /// Returns a length in words: `6 metres`, `85 metres`, `1.3 kilometres`.
  ///
  /// - Parameter isAfterIn: whether the length follows the word for "in".
  public func distance(_ metres: Double, isAfterIn: Bool = false) -> String {
    func text(_ value: Double, step: Double, _ noun: Phrasebook.Noun) -> String {
      let count = max(1, (value / step).rounded()) * step
      return "\(Int(count)) \(count == 1 ? noun.one : isAfterIn ? noun.after : noun.many)"
    }
    func tenths(_ value: Double, _ noun: Phrasebook.Noun) -> String {
      let count = max(1, Int((value * 10).rounded()))
      let number = count % 10 == 0 ? "\(count / 10)" : "\(count / 10)\(book.decimalMark)\(count % 10)"
      return "\(number) \(count == 10 ? noun.one : isAfterIn ? noun.after : noun.many)"
    }
    let metres = min(max(0, metres.isFinite ? metres : 0), 2.1e7)
    if isMetric {
      return switch metres {
      case ..<0.5: book.lessThanMetre
      case ..<9.5: text(metres, step: 1, book.metre)
      case ..<97.5: text(metres, step: 5, book.metre)
      case ..<995: text(metres, step: 10, book.metre)
      default: tenths(metres / 1000, book.kilometre)
      }
    }
    let feet = metres / Self.metresPerFoot
    return switch feet {
    case ..<0.5: book.lessThanFoot
    case ..<97.5: text(feet, step: 5, book.foot)
    case ..<995: text(feet, step: 10, book.foot)
    default: tenths(metres / Self.metresPerMile, book.mile)
    }
  }

  /// Returns a time in words: `4 minutes`, `1 hour and 5 minutes`.
  public func time(_ span: Span) -> String {
    let minutes = Int((min(max(0, span.seconds), 1e8) / 60).rounded())
    func text(_ count: Int, _ noun: Phrasebook.Noun) -> String { "\(count) \(count == 1 ? noun.one : noun.many)" }
    guard minutes > 0 else { return book.lessThanMinute }
    let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
    guard hours > 0 else { return text(minutes, book.minute) }
    guard rest > 0 else { return text(hours, book.hour) }
    return book.hoursAndMinutes.filled(["hours": text(hours, book.hour), "minutes": text(rest, book.minute)])
  }

  /// Returns a length and a time: `85 metres, 2 minutes`.
  public func summary(length: Double, time: Span) -> String {
    book.summary.filled(["distance": distance(length), "time": self.time(time)])
  }

  // MARK: Straight ways

  /// Returns the name of the destination, or the word for it.
  public func name(_ title: String?) -> String { title ?? book.destination }

  /// Returns the distance and, if it is known, the side of the destination: `350 metres: the library is on your left.`
  public func straight(_ metres: Double, side: TurnIndicator.Side?, to title: String?) -> String {
    let place = name(title)
    let direction: String? =
      switch side {
      case .left: book.arrive.left
      case .right: book.arrive.right
      case .ahead: book.arriveAhead
      case nil: nil
      }
    guard let direction else { return "\(place.capitalized): \(distance(metres))." }
    return "\(distance(metres).capitalized): \(direction.filled(["place": place]))."
  }

  /// Returns the sentence at the end of a way.
  public func arrival(at title: String?) -> String {
    (title.map { book.routeEnded.filled(["arrival": $0]) } ?? book.arrived).capitalized + "."
  }
}
