import Beacons
import Events
import Instants
import Scoring

/// A replay as an SVG picture: the visits of regions, and for each beacon its RSSI, distance and proximity over time.
/// The replays of several configurations share the picture.
public struct ReplayPlot {
  /// The replay with one configuration.
  public struct Run {
    let name: String
    let trace: ReplayTrace
    let events: [Event]

    public init(name: String, trace: ReplayTrace, events: [Event]) {
      (self.name, self.trace, self.events) = (name, trace, events)
    }
  }

  private let runs: [Run]
  private let title: String
  private let name: (BeaconIdentity) -> String?
  private let time: TimeFormat
  private let period: ClosedRange<Instant>
  private let others: Int

  /// The most configurations of a picture, which is the number of colours.
  public static let mostRuns = colors.count
  /// The most beacons of a picture.
  public static let mostBeacons = 16
  private static let mostRegions = 40

  /// - Parameters:
  ///   - runs: one or more, of which `mostRuns` are shown.
  ///   - title: such as the name of the recording.
  ///   - others: the number of beacons that the traces leave out.
  ///   - name: returns the name of the place that a beacon stands for.
  ///   - time: the format of the times.
  public init(_ runs: [Run], title: String, others: Int = 0, time: TimeFormat, name: @escaping (BeaconIdentity) -> String? = { _ in nil }) {
    self.runs = Array(runs.prefix(Self.mostRuns))
    (self.title, self.others, self.time, self.name) = (title, others, time, name)
    let times = runs.flatMap { run in
      run.events.compactMap(\.time) + (run.trace.period.map { [$0.lowerBound, $0.upperBound] } ?? [])
    }
    let start = times.min() ?? Instant(microseconds: 0)
    period = start...max(times.max() ?? start, start + .seconds(1))
  }

  // MARK: Measures

  /// Pixels.
  private static let (left, right, top, width) = (190.0, 60.0, 64.0, 1200.0)
  private static let (lane, panel, gap) = (9.0, 120.0, 26.0)
  private static let strip = 7.0
  /// Okabe and Ito's colours, which colour-blind readers can tell apart.
  private static let colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"]
  private static let proximityColors: [BeaconProximity: String] = [
    .immediate: "#00543d", .near: "#56b4e9", .far: "#f0e442", .unknown: "#d0d0d0",
  ]
  /// The RSSI at the edges of a panel in dBm.
  private static let (weakest, strongest) = (-105.0, -25.0)
  /// The largest distance of a panel in metres.
  private static let mostMetres = 20.0

  private func x(_ time: Instant) -> Double {
    let share = (min(max(time, period.lowerBound), period.upperBound) - period.lowerBound).seconds
    return Self.left + (Self.width - Self.left - Self.right) * share / (period.upperBound - period.lowerBound).seconds
  }

  // MARK: Document

  /// The document, with a line end.
  public var text: String {
    var parts: [String] = []
    var y = Self.top
    parts += visits(&y)
    let beacons = shown
    let farthest = farthest(beacons)
    for beacon in beacons {
      parts += panel(beacon, below: y, farthest: farthest)
      y += Self.panel + Self.gap
    }
    let height = y + 40
    parts += axis(to: y - Self.gap + 8) + notes(below: y + 24)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(SVG.number(Self.width))" height="\(SVG.number(height))" \
      viewBox="0 0 \(SVG.number(Self.width)) \(SVG.number(height))" role="img">
      <title>\(SVG.escaped(title))</title>
      <style>
      text { font: 12px sans-serif; fill: #222 }
      .heading { font-size: 16px; font-weight: bold }
      .small { font-size: 11px; fill: #555 }
      .grid { stroke: #ddd; stroke-width: 1 }
      .frame { fill: none; stroke: #bbb }
      .signal { stroke: #999; stroke-width: 1.5; stroke-linecap: round }
      .distance { fill: none; stroke-width: 1.8; stroke-linejoin: round }
      .moment { stroke: #222; stroke-width: 2 }
      </style>
      <rect width="100%" height="100%" fill="#ffffff"/>
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }

  /// Returns the largest distance of the beacons up to `mostMetres`, rounded up to half a metre, and at least 2 m.
  private func farthest(_ beacons: [BeaconIdentity]) -> Double {
    var most = 2.0
    for run in runs {
      for beacon in beacons {
        for point in run.trace.beacons[beacon]?.distances.points ?? [] where point.bucket.mean <= Self.mostMetres {
          most = max(most, point.bucket.mean)
        }
      }
    }
    return (2 * most).rounded(.up) / 2
  }

  private var shown: [BeaconIdentity] { runs[0].trace.beacons.keys.sorted().prefix(Self.mostBeacons).map(\.self) }

  private func label(_ x: Double, _ y: Double, _ text: String, _ attributes: String = "") -> String {
    "<text x=\"\(SVG.number(x))\" y=\"\(SVG.number(y))\"\(attributes.isEmpty ? "" : " " + attributes)>\(SVG.escaped(text))</text>"
  }

  private func rectangle(_ x: ClosedRange<Double>, _ y: Double, _ height: Double, _ fill: String, _ title: String? = nil) -> String {
    let size = "x=\"\(SVG.number(x.lowerBound))\" y=\"\(SVG.number(y))\" width=\"\(SVG.number(max(1, x.upperBound - x.lowerBound)))\""
    let rectangle = "<rect \(size) height=\"\(SVG.number(height))\" fill=\"\(fill)\""
    return title.map { "\(rectangle)><title>\(SVG.escaped($0))</title></rect>" } ?? "\(rectangle)/>"
  }

  // MARK: Regions

  /// Returns the visits of each region, and moves `y` below them.
  private func visits(_ y: inout Double) -> [String] {
    var regions: [String] = []
    for event in runs.flatMap(\.events).sorted(by: { ($0.time ?? .never) < ($1.time ?? .never) }) {
      if let region = event.region, !regions.contains(region), regions.count < Self.mostRegions { regions.append(region) }
    }
    var parts: [String] = []
    for region in regions {
      let height = max(14, Double(runs.count) * Self.lane)
      parts.append(label(Self.left - 8, y + height / 2 + 4, region.clipped(26, ellipsis: "…"), "text-anchor=\"end\""))
      for (number, run) in runs.enumerated() {
        let lane = y + (height - Double(runs.count) * Self.lane) / 2 + Double(number) * Self.lane
        parts += bars(of: region, in: run, color: Self.colors[number], y: lane)
      }
      y += height + 5
    }
    if !regions.isEmpty { y += Self.gap }
    return parts
  }

  private func bars(of region: String, in run: Run, color: String, y: Double) -> [String] {
    let height = Self.lane - 2
    func bar(_ start: Instant?, _ end: Instant?) -> String {
      let title = "\(region): \(start.map(time.second) ?? "before"), to \(end.map(time.second) ?? "after the end")"
      return rectangle(x(start ?? period.lowerBound)...x(end ?? period.upperBound), y, height, color, title)
    }
    var parts: [String] = []
    var entered: Instant?
    for event in run.events where event.region == region {
      guard let moment = event.time else { continue }
      switch event.kind {
      case .enter: entered = moment
      case .exit:
        parts.append(bar(entered, moment))
        entered = nil
      case .dwell, .cross:
        let x = SVG.number(x(moment))
        parts.append("<line class=\"moment\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(SVG.number(y - 1))\" y2=\"\(SVG.number(y + height + 1))\"/>")
      default: break
      }
    }
    if let entered { parts.append(bar(entered, nil)) }
    return parts
  }

  // MARK: Beacons

  private func panel(_ beacon: BeaconIdentity, below top: Double, farthest: Double) -> [String] {
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

  // MARK: Axis and legend

  private static let steps: [Double] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000,
  ]

  private func axis(to bottom: Double) -> [String] {
    let length = (period.upperBound - period.lowerBound).seconds
    let step = Self.steps.first { length / $0 <= 10 } ?? length
    var parts: [String] = []
    var tick = (period.lowerBound - Instant(microseconds: 0)).seconds
    tick = (tick / step).rounded(.up) * step
    while parts.count < 24, case let moment = Instant(microseconds: 0) + .seconds(tick), moment <= period.upperBound {
      let x = x(moment)
      let ends = "y1=\"\(SVG.number(Self.top - 6))\" y2=\"\(SVG.number(bottom))\""
      parts.append("<line class=\"grid\" x1=\"\(SVG.number(x))\" x2=\"\(SVG.number(x))\" \(ends)/>")
      parts.append(label(x, bottom + 14, step < 86_400 ? time.clock(moment) : time.day(moment), "text-anchor=\"middle\" class=\"small\""))
      tick += step
    }
    return parts
  }

  /// Returns the title, the legend and the note of what is left out.
  private func notes(below y: Double) -> [String] {
    var parts = [label(16, 24, "\(title), \(time.second(period.lowerBound))", "class=\"heading\"")]
    var x = Self.left
    func add(_ color: String, _ text: String) {
      parts.append(rectangle(x...(x + 14), 36, 10, color))
      parts.append(label(x + 20, 46, text))
      x += 34 + 7 * Double(text.columns)
    }
    for (number, run) in runs.enumerated() { add(Self.colors[number], run.name.clipped(30, ellipsis: "…")) }
    add("#999999", "RSSI in dBm")
    for proximity in [BeaconProximity.immediate, .near, .far, .unknown] {
      add(Self.proximityColors[proximity] ?? "none", proximity.rawValue)
    }
    let beacons = runs[0].trace.beacons.count - shown.count + others
    if beacons > 0 {
      parts.append(label(Self.left, y, "\(beacons) more beacon\(beacons == 1 ? " was" : "s were") heard less often.", "class=\"small\""))
    }
    return parts
  }
}
