public import Beacons
import IndoorPositioning
import Instants
import Numerals
import Records
public import Surveys
public import Venues

/// The report of a survey as one page of HTML that needs no other file, no script and no network.
public struct SurveyPage {
  private let report: SurveyReport
  private let signals: [BeaconIdentity: SurveySignals]
  private let time: TimeFormat
  private let program: String
  private let venue: (venue: Venue, languages: [String])?

  /// The maximum number of beacons with a plot of their own.
  public static let mostPlots = 200

  /// - Parameters:
  ///   - time: the format of the times.
  ///   - program: the name and the version that the page ends with.
  ///   - venue: the venue of the survey, and the languages of its names.
  public init(
    _ report: SurveyReport, _ signals: [BeaconIdentity: SurveySignals], time: TimeFormat, program: String,
    venue: (venue: Venue, languages: [String])? = nil
  ) {
    (self.report, self.signals, self.time, self.program, self.venue) = (report, signals, time, program, venue)
  }

  private static let style = TerminalStyle(hasColours: false, hasUnicode: true, canRedraw: false)

  /// The document, with a line end.
  public var text: String {
    let own = (report.beacons ?? []).filter { !$0.isForeign }
    let foreign = (report.beacons ?? []).filter(\.isForeign)
    let plot = SurveyPlot(report, time: time)
    let title = "Survey of \(report.source ?? "beacons")"
    var parts = ["<h1>\(SVG.escaped(title))</h1>", facts, "<p class=\"conclusion\">\(SVG.escaped(report.conclusion.sentenceCase))</p>"]
    parts += report.receptionNotes.map { "<p class=\"fault\">\(SVG.escaped($0))</p>" }
    if let missing = report.missing, !missing.isEmpty {
      let items = missing.map { "<li>\(SVG.escaped($0.label(hasUUID: report.hasSeveralUUIDs)))</li>" }
      parts.append("<h2>Missing</h2>\n<ul>\(items.joined())</ul>")
    }
    if !own.isEmpty {
      parts.append("<h2>Beacons</h2>\n" + table(own))
      parts.append("<h2>Signals</h2>\n" + Self.wide("Signals of all beacons", plot.overview(own)))
      for beacon in own.prefix(Self.mostPlots) {
        guard let identity = beacon.identity, let signals = signals[identity] else { continue }
        parts.append("<h3>\(SVG.escaped(beacon.title))</h3>\n" + Self.wide("Signal of \(beacon.title)", plot.beacon(beacon, signals)))
      }
    }
    parts += plans
    if !foreign.isEmpty { parts.append("<h2>Beacons of other UUIDs</h2>\n" + foreignTable(foreign)) }
    parts.append("<footer><p>\(SVG.escaped(program))</p></footer>")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
      <title>\(SVG.escaped(title))</title>
      <style>
      \(Self.sheet)
      </style>
      </head>
      <body>
      <main>
      \(parts.joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
  }

  /// The levels of the venue with the expected errors of positions and the measured places.
  ///
  /// They are pictures in the page, whose styles are their own.
  private var plans: [String] {
    guard let (venue, languages) = venue else { return [] }
    let pictures = venue.levels.compactMap { level -> String? in
      let errors = PositionErrorMap(venue, level)
      guard !errors.cells.isEmpty else { return nil }
      let name = level.name.text(preferring: languages) ?? level.id
      let svg = VenueSVG(venue, level, languages: languages, errors: errors, survey: report).text
      let text =
        "Plan of \(name): the expected error of positions in colours, beacons, measured places in green, numbers where to measure next"
      return "<h3>\(SVG.escaped(name))</h3>\n<img alt=\"\(SVG.escaped(text))\" src=\"data:image/svg+xml,\(Self.encoded(svg))\">"
    }
    let notes = report.placeNotes.map { "<p>\(SVG.escaped($0))</p>" }
    return pictures.isEmpty ? [] : ["<h2>Coverage</h2>"] + notes + pictures
  }

  /// Returns a text for a data URI (RFC 2397).
  private static func encoded(_ text: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -_.,:;/=()".utf8)
    var result = ""
    for octet in text.utf8 {
      if plain.contains(octet) {
        result.unicodeScalars.append(Unicode.Scalar(octet))
      } else {
        result += "%" + Hexadecimal.digits(of: octet, uppercase: true)
      }
    }
    return result
  }

  private var facts: String {
    var facts: [(String, String)] = []
    if let from = report.from, let until = report.until {
      facts.append(("Time", "\(time.second(from)) to \(time.second(until))"))
    }
    facts.append(("Packets", "\(report.packets ?? 0)"))
    if let adapters = report.adapters, !adapters.isEmpty {
      facts.append(("Adapters", adapters.map { "\($0.name ?? "?") (\($0.packets ?? 0))" }.joined(separator: ", ")))
    }
    if let venue = report.venue { facts.append(("Venue", venue)) }
    return "<dl>" + facts.map { "<dt>\($0.0)</dt><dd>\(SVG.escaped($0.1))</dd>" }.joined() + "</dl>"
  }

  private func table(_ beacons: [SurveyedBeacon]) -> String {
    let hasUUIDs = report.hasSeveralUUIDs
    let titles =
      (hasUUIDs ? ["UUID"] : []) + [
        "Beacon", "Name", "Faults", "Packets", "Per second", "Lost", "dBm, 10 to 90 %", "Interval ms", "dBm at 1 m",
      ]
    let rows = beacons.map { beacon in
      let cells = SurveyCells(beacon, style: Self.style)
      let faults = (beacon.verdicts ?? []).map { verdict in
        "<b>\(SVG.escaped(verdict.kind?.rawValue ?? "fault"))</b>: \(SVG.escaped(verdict.reason ?? ""))"
      }
      let values =
        (hasUUIDs ? [beacon.uuid?.description ?? "?"] : [])
        + [beacon.numbers, beacon.name ?? ""]
      let figures = ["\(beacon.count ?? 0)", cells.rate, cells.loss, cells.levels, cells.interval, cells.power]
      return "<tr\(faults.isEmpty ? "" : " class=\"fault\"")>" + values.map { "<td>\(SVG.escaped($0))</td>" }.joined()
        + "<td>\(faults.isEmpty ? "none" : faults.joined(separator: "<br>"))</td>"
        + figures.map { "<td class=\"number\">\(SVG.escaped($0))</td>" }.joined() + "</tr>"
    }
    return Self.table("Beacons", titles, rows)
  }

  private func foreignTable(_ beacons: [SurveyedBeacon]) -> String {
    let rows = beacons.map { beacon in
      let cells = SurveyCells(beacon, style: Self.style)
      return "<tr><td>\(beacon.uuid?.description ?? "?")</td><td>\(beacon.numbers)</td><td class=\"number\">\(beacon.count ?? 0)</td>"
        + "<td class=\"number\">\(cells.median)</td></tr>"
    }
    return Self.table("Beacons of other UUIDs", ["UUID", "Beacon", "Packets", "dBm"], rows)
  }

  private static func table(_ name: String, _ titles: [String], _ rows: [String]) -> String {
    let head = titles.map { "<th scope=\"col\">\(SVG.escaped($0))</th>" }.joined()
    return wide(name, "<table>\n<thead><tr>\(head)</tr></thead>\n<tbody>\n\(rows.joined(separator: "\n"))\n</tbody></table>")
  }

  /// Returns a part that scrolls on a narrow screen, even with keys.
  private static func wide(_ name: String, _ content: String) -> String {
    "<div class=\"wide\" role=\"region\" aria-label=\"\(SVG.escaped(name))\" tabindex=\"0\">\(content)</div>"
  }

  private static let sheet = [
    ":root { color-scheme: light dark; --ink: #1d1d1f; --paper: #ffffff; --soft: #5c5c63; --line: #d4d4da;",
    "--signal: #0b5c9e; --spread: #9cc3e6; --loss: #b3541e; --fault: #a32a0a; --shade: #f4f4f7 }",
    "@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ec; --paper: #17171a; --soft: #a6a6b0; --line: #3d3d45;",
    "--signal: #7ab8f0; --spread: #35597a; --loss: #e59a63; --fault: #ff9d7d; --shade: #212126 } }",
    "@media print { :root { --ink: #000; --paper: #fff; --soft: #444; --line: #ccc; --signal: #0b5c9e; --spread: #9cc3e6;",
    "--loss: #b3541e; --fault: #a32a0a; --shade: #fff } h3, svg { break-inside: avoid; break-after: avoid } }",
    "body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.45 system-ui, sans-serif }",
    "main { max-width: 72rem; margin: 0 auto; padding: 1rem }",
    "h1, h3 { overflow-wrap: anywhere }",
    "h1 { font-size: 1.6rem }",
    "h2 { margin-top: 2rem; font-size: 1.25rem }",
    "h3 { margin: 1rem 0 0; font-size: 1rem }",
    "dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem }",
    "dt { color: var(--soft) }",
    "dd { margin: 0 }",
    "dd, li { overflow-wrap: anywhere }",
    ".conclusion { font-size: 1.15rem; font-weight: 600 }",
    "p.fault, tr.fault b { color: var(--fault) }",
    ".wide { overflow-x: auto; max-width: 100% }",
    "table { border-collapse: collapse; font-size: 0.92rem }",
    "th, td { padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }",
    "thead th { background: var(--shade) }",
    ".number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }",
    "tr.fault { background: var(--shade) }",
    "svg { display: block }",
    "img { display: block; max-width: min(100%, 50rem); height: auto; background: #fff }",
    "svg text { font: 12px system-ui, sans-serif; fill: var(--ink) }",
    "svg .small { font-size: 11px; fill: var(--soft) }",
    "svg .middle { text-anchor: middle }",
    "svg .end { text-anchor: end }",
    ".grid { stroke: var(--line); stroke-width: 1 }",
    ".spread { stroke: var(--spread); stroke-width: 2 }",
    ".level { fill: var(--signal) }",
    ".range { stroke: var(--spread); stroke-width: 6; stroke-linecap: round }",
    ".median { fill: var(--signal) }",
    ".loss { fill: var(--loss) }",
    "footer { margin-top: 2rem; color: var(--soft); font-size: 0.85rem }",
  ].joined(separator: "\n")
}

extension String {
  /// The sentence with a capital letter and a full stop.
  fileprivate var sentenceCase: String { (first.map { $0.uppercased() } ?? "") + dropFirst() + "." }
}
