import Locations
import Records
import Status

extension StatusText {
  /// Returns the state of each source of headings, with remedies on lines below.
  /// A source whose device this machine does not have appears once a client has asked for it.
  func headings(_ sources: [HeadingSourceStatus]?) -> [String] {
    let shown = (sources ?? []).filter { $0.state != .gone || $0.note != nil || $0.calibrated != nil }
    var lines: [String] = []
    for source in shown {
      lines.append(fact(lines.isEmpty ? "heading" : "", line(source)))
      if let note = source.note ?? remedy(source.state) { lines.append(fact("", note)) }
    }
    return lines
  }

  /// Returns `iio: measuring, ak8963 i2c-0, calibrated 2026-11-21 08:51:02Z within 0.4 µT, 1234 samples, refused: 2 zero`.
  private func line(_ source: HeadingSourceStatus) -> String {
    let micro = style.hasUnicode ? "µT" : "uT"
    let residual = source.residual.flatMap { Decimal.text($0, decimals: 1) }.map { " within \($0) \(micro)" } ?? ""
    let calibration = source.calibrated.map { "calibrated \(second($0))\(residual)" }
    let samples = source.samples.flatMap { $0 == 0 ? nil : Count.text($0, "sample") }
    let parts = [source.state?.rawValue, source.device, calibration, samples, tally("refused", source.refused)]
    return "\(source.source ?? style.dash): \(parts.compactMap(\.self).joined(separator: ", "))"
  }

  private func remedy(_ state: HeadingSourceStatus.State?) -> String? {
    switch state {
    case .uncalibrated: "turn the device in all directions; \"beaconmon heading\" shows which are missing"
    case .disturbed: "a magnet, iron or a current is near; move the device away from it"
    case .off, .starting, .measuring, .failing, .gone, nil: nil
    }
  }
}
