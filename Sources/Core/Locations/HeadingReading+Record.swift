import Instants
import Records

extension HeadingReading {
  /// As every program sees it; what is unknown is not there.
  public func record(age: Span) -> Record {
    Record([
      "trueHeading": trueHeading.map { .direction($0) }, "magneticHeading": magneticHeading.map { .direction($0) },
      "variation": variation.map { .quantity($0, decimals: 1) }, "age": .quantity(max(0, age.seconds), decimals: 3),
    ])
  }
}
