import Beacons
import Instants
import Scoring

// MARK: Beacons

extension ReplayPlot {
  /// The RSSI at the edges of a panel in dBm.
  private static let (weakest, strongest) = (-105.0, -25.0)

  /// Returns the picture of one beacon: its RSSI, distance and proximity over time.
  func panel(_ beacon: BeaconIdentity, below top: Double, farthest: Double) -> [String] {
    let bottom = top + Self.panel - Double(runs.count) * Self.strip
    func level(_ share: Double) -> Double { bottom - (bottom - top) * min(1, max(0, share)) }
    func signal(_ rssi: Double) -> Double { level((rssi - Self.weakest) / (Self.strongest - Self.weakest)) }
    func distance(_ metres: Double) -> Double { level(metres / farthest) }
    let identity = "\(beacon.major)/\(beacon.minor)"
    let title = name(beacon)
    var parts = [
      label(Self.left - 44, top + 14, (title ?? identity).clipped(20, ellipsis: "…"), "text-anchor=\"end\" font-weight=\"bold\"")
    ]
    if title != nil { parts.append(label(Self.left - 44, top + 30, identity, "text-anchor=\"end\" class=\"small\"")) }
    for rssi in stride(from: -100.0, through: -40, by: 20) {
      parts.append(label(Self.left - 6, signal(rssi) + 4, "\(Int(rssi))", "text-anchor=\"end\" class=\"small\""))
    }
    for metres in [0, farthest / 2, farthest] {
      parts.append(label(Self.width - Self.right + 6, distance(metres) + 4, "\(SVG.number(metres)) m", "class=\"small\""))
    }
    for point in runs[0].trace.beacons[beacon]?.signals.points ?? [] {
      let x = SVG.number(x(point.time))
      // A line without length is a dot, because its ends are round.
      let (least, most) = (SVG.number(signal(point.bucket.least)), SVG.number(signal(point.bucket.most)))
      parts.append("<line class=\"signal\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(least)\" y2=\"\(most)\"/>")
    }
    for (number, run) in runs.enumerated() {
      guard let course = run.trace.beacons[beacon] else { continue }
      if number == 0 { parts += band(course, distance) }
      parts += path(course.distances, Self.colors[number], distance)
      parts += proximities(course, y: bottom + Double(number) * Self.strip, run.name)
    }
    parts.append(
      "<rect class=\"frame\" x=\"\(SVG.number(Self.left))\" y=\"\(SVG.number(top))\" "
        + "width=\"\(SVG.number(Self.width - Self.left - Self.right))\" height=\"\(SVG.number(Self.panel))\"/>")
    return parts
  }

  /// Returns the runs of points without a gap, which is longer than the silence after which a distance is unknown.
  private func pieces(_ series: TimeSeries) -> [[(time: Instant, bucket: TimeSeries.Bucket)]] {
    var pieces: [[(time: Instant, bucket: TimeSeries.Bucket)]] = []
    for point in series.points {
      if let last = pieces.last?.last, point.time - last.time <= max(.seconds(5), series.width * 2) {
        pieces[pieces.count - 1].append(point)
      } else {
        pieces.append([point])
      }
    }
    return pieces
  }

  private func path(_ series: TimeSeries, _ color: String, _ level: (Double) -> Double) -> [String] {
    pieces(series).map { piece in
      let points = piece.map { "\(SVG.number(x($0.time))),\(SVG.number(level($0.bucket.mean)))" }
      return "<polyline class=\"distance\" stroke=\"\(color)\" points=\"\(points.joined(separator: " "))\"/>"
    }
  }

  /// Returns the distances with one sigma on both sides.
  private func band(_ course: ReplayTrace.Beacon, _ level: (Double) -> Double) -> [String] {
    let accuracies = Dictionary(course.accuracies.points.map { ($0.time, $0.bucket.mean) }) { $1 }
    return pieces(course.distances).map { piece in
      let known = piece.compactMap { point in accuracies[point.time].map { (x: x(point.time), mean: point.bucket.mean, accuracy: $0) } }
      let corners =
        known.map { "\(SVG.number($0.x)),\(SVG.number(level($0.mean + $0.accuracy)))" }
        + known.reversed().map { "\(SVG.number($0.x)),\(SVG.number(level($0.mean - $0.accuracy)))" }
      return "<polygon fill=\"\(Self.colors[0])\" fill-opacity=\"0.15\" points=\"\(corners.joined(separator: " "))\"/>"
    }
  }

  private func proximities(_ course: ReplayTrace.Beacon, y: Double, _ run: String) -> [String] {
    let half = Span(microseconds: course.proximities.width.microseconds / 2)
    var pieces: [(value: BeaconProximity, start: Instant, end: Instant)] = []
    for point in course.proximities.points {
      let value = BeaconProximity.allCases[Int(point.bucket.last)]
      if let last = pieces.last, last.value == value, point.time - half <= last.end + .seconds(1) {
        pieces[pieces.count - 1].end = point.time + half
      } else {
        pieces.append((value, point.time - half, point.time + half))
      }
    }
    return pieces.map { piece in
      let title = "\(piece.value.rawValue), \(time.second(piece.start)) to \(time.second(piece.end)), \(run)"
      return rectangle(x(piece.start)...x(piece.end), y, Self.strip - 1, Self.proximityColors[piece.value] ?? "none", title)
    }
  }
}
