public import RouteReports

// The state of a guide, as a screen shows it.

extension GuidanceText {
  /// Returns the name of the destination, with the state unless it is obvious.
  public func title(_ report: GuidanceReport) -> String {
    let place = report.title ?? book.destination.capitalized
    let text: String =
      switch report.state {
      case .searching, nil: book.states.searching
      case .lost: book.states.lost
      case .underWay: report.mode == .direct ? book.states.straightLine : "{place}"
      case .arrived: "{place}"
      }
    return text.filled(["place": place])
  }

  /// Returns the direction in words: `95° to the right (123° SE)`; nil without one.
  ///
  /// - Parameter degreeSign: the sign after the number, such as `°`.
  public func direction(_ report: GuidanceReport, degreeSign: String) -> String? {
    guard report.state == .underWay, let bearing = report.bearing else { return nil }
    let whole = Int(bearing.rounded()) % 360
    let compass = "\(whole)\(degreeSign) \(book.states.compass[Int((bearing / 45).rounded()) % book.states.compass.count])"
    let text: String
    var values = ["bearing": compass]
    if let turn = report.turn, let side = report.side {
      values["angle"] = "\(Int(abs(turn).rounded()))\(degreeSign)"
      text =
        switch side {
        case .ahead: book.states.ahead
        case .left: book.states.turn.left
        case .right: book.states.turn.right
        }
    } else {
      values["reason"] = report.headingNote ?? book.states.headingUnknown
      text = book.states.noArrow
    }
    return text.filled(values).capitalized
  }

  /// Returns the number of routes after the first one: `2 new routes`.
  public func newRoutes(_ count: UInt64) -> String { "\(count) \(count == 1 ? book.states.newRoute.one : book.states.newRoute.many)" }
}
