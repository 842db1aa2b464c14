// Draws the peaks of a virtual landscape where a camera would show them, while it turns: panorama [FROM TO STEP]

import Beaconmon
import Foundation

/// A peak of the landscape, which the view of a camera names.
struct Peak {
  let name: String
  /// Degrees clockwise from true north.
  let bearing: Double
  /// Degrees above the horizon.
  let elevation: Double
}

let peaks = [
  Peak(name: "Northhorn", bearing: 2, elevation: 9), Peak(name: "Window Ridge", bearing: 352, elevation: 5),
  Peak(name: "Eastpeak", bearing: 88, elevation: 12), Peak(name: "Mount Ferrous", bearing: 131, elevation: 7),
  Peak(name: "Southtop", bearing: 183, elevation: 4), Peak(name: "Lodestone", bearing: 247, elevation: 14),
  Peak(name: "Westwall", bearing: 275, elevation: 10),
]

/// Returns the screen: the peaks in view with their names, and arrows to the nearest ones outside.
func picture(_ view: CameraView, columns: Int, rows: Int) -> [String] {
  var lines = [[Character]](repeating: [Character](repeating: " ", count: columns), count: rows)
  func write(_ text: String, _ column: Int, _ row: Int) {
    for (index, character) in text.enumerated() where lines.indices.contains(row) && (0..<columns).contains(column + index) {
      lines[row][column + index] = character
    }
  }
  guard let direction = view.direction else { return ["no heading: calibrate the compass, or move away from magnets"] }
  for peak in peaks {
    guard let place = view.position(ofBearing: peak.bearing, elevation: peak.elevation), place.isVisible,
      let point = place.point(width: Double(columns - 1), height: Double(rows - 2))
    else { continue }
    write("^", Int(point.x.rounded()), Int(point.y.rounded()) + 1)
    write(peak.name, Int(point.x.rounded()) - peak.name.count / 2, Int(point.y.rounded()))
  }
  let hidden = peaks.compactMap { peak in view.position(ofBearing: peak.bearing, elevation: peak.elevation).map { (peak.name, $0) } }
    .filter { !$0.1.isVisible }
  let left = hidden.filter { $0.1.turn < 0 }.max { $0.1.turn < $1.1.turn }
  let right = hidden.filter { $0.1.turn >= 0 }.min { $0.1.turn < $1.1.turn }
  if let left { write("< \(left.0)", 0, rows - 1) }
  if let right { write("\(right.0) >", columns - right.0.count - 2, rows - 1) }
  write("\(Int(direction.rounded()) % 360)\u{B0}", columns / 2 - 2, rows - 1)
  return lines.map { String($0) }
}

let numbers = CommandLine.arguments.dropFirst().compactMap { Double($0) }
guard numbers.isEmpty || numbers.count == 3, numbers.isEmpty || numbers[2] != 0 else {
  fatalError("usage: panorama [FROM TO STEP], in degrees")
}
let (from, to, step) = numbers.isEmpty ? (300, 420, 2) : (numbers[0], numbers[1], numbers[2])
let isScreen = isatty(STDOUT_FILENO) == 1
for heading in stride(from: from, through: to, by: step) {
  // A device in your hand delivers headings to its LocationManager's delegate instead.
  let view = CameraView(
    heading: heading, headingOrientation: .landscapeLeft, orientation: .landscapeLeft, pitch: 5, fieldOfView: .init(long: 62, short: 36))
  let lines = picture(view, columns: 64, rows: 12)
  FileHandle.standardOutput.write(Data(((isScreen ? "\u{1B}[H\u{1B}[2J" : "") + lines.joined(separator: "\n") + "\n").utf8))
  if isScreen { Thread.sleep(forTimeInterval: 0.1) }
}
