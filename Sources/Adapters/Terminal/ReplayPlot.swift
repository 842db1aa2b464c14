import Beacons
import Events
import Instants
import Records
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

  let runs: [Run]
  private let title: String
  let name: (BeaconIdentity) -> String?
  let time: TimeFormat
  private let period: ClosedRange<Instant>
  private let others: Int

  /// The maximum number of configurations of a picture, which is the number of colours.
  public static let mostRuns = colors.count
  /// The maximum number of beacons of a picture.
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
  static let (left, right, top, width) = (190.0, 60.0, 64.0, 1200.0)
  static let (lane, panel, gap) = (9.0, 120.0, 26.0)
  static let strip = 7.0
  /// Okabe and Ito's colours, which colour-blind readers can tell apart.
  static let colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"]
  static let proximityColors: [BeaconProximity: String] = [
    .immediate: "#00543d", .near: "#56b4e9", .far: "#f0e442", .unknown: "#d0d0d0",
  ]
  /// The largest distance of a panel in metres.
  private static let mostMetres = 20.0

  func x(_ time: Instant) -> Double {
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

  func label(_ x: Double, _ y: Double, _ text: String, _ attributes: String = "") -> String {
    "<text x=\"\(SVG.number(x))\" y=\"\(SVG.number(y))\"\(attributes.isEmpty ? "" : " " + attributes)>\(SVG.escaped(text))</text>"
  }

  func rectangle(_ x: ClosedRange<Double>, _ y: Double, _ height: Double, _ fill: String, _ title: String? = nil) -> String {
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
      case .state, .depart, .hurry, .arrive, .miss, .beaconMissing, .beaconWeak, .beaconMoved, .beaconDuplicate, .beaconRecovered, .alert,
        .alertEnded, .damaged, nil:
        break
      }
    }
    if let entered { parts.append(bar(entered, nil)) }
    return parts
  }

  // MARK: Axis and legend

  private func axis(to bottom: Double) -> [String] {
    TimeTicks(period, time).marks.flatMap { moment, text in
      let x = x(moment)
      let ends = "y1=\"\(SVG.number(Self.top - 6))\" y2=\"\(SVG.number(bottom))\""
      return [
        "<line class=\"grid\" x1=\"\(SVG.number(x))\" x2=\"\(SVG.number(x))\" \(ends)/>",
        label(x, bottom + 14, text, "text-anchor=\"middle\" class=\"small\""),
      ]
    }
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
      parts.append(
        label(Self.left, y, Count.text(beacons, "more beacon was", plural: "more beacons were") + " heard less often.", "class=\"small\""))
    }
    return parts
  }
}
