import RealModule

/// A compass rose of characters whose top is the direction of the device.
struct CompassRose {
  /// Degrees clockwise from the north of the rose; nil without a direction.
  let heading: Double?
  /// One standard deviation in degrees; nil if it is unknown.
  let accuracy: Double?
  /// The direction of magnetic north in degrees clockwise from the north of the rose; nil if the rose shows one north.
  var magneticNorth: Double?

  /// Returns the point of the compass, such as `NW`.
  static func name(of degrees: Double) -> String {
    let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    return names[Int(((turn < 0 ? turn + 360 : turn) / 45).rounded()) % 8]
  }

  /// Returns `2 * radius + 1` lines of `4 * radius + 1` characters.
  ///
  /// The letters turn with the device. The cone at the top is as wide as the accuracy to both sides; without a known accuracy there is
  /// none.
  func lines(radius: Int, style: TerminalStyle) -> [String] {
    var canvas = Canvas(radius: radius)
    for tick in stride(from: 0.0, to: 360, by: 5) { canvas.put(style.hasUnicode ? "·" : ".", at: tick, 1) }
    guard let heading, heading.isFinite else {
      canvas.write("?", at: 0, 0)
      return canvas.lines { text, _ in text }
    }
    if let accuracy, accuracy.isFinite {
      let width = Swift.min(180, Swift.max(0, accuracy))
      // The cone is drawn to its border, so that one of one column is seen as well.
      for share in stride(from: 0.15, through: 0.85, by: 0.35 / Double(radius)) {
        for angle in stride(from: -width, through: width, by: Swift.max(1, 40 / Double(radius))) {
          canvas.put(style.hasUnicode ? "░" : ":", at: angle, share, .cone)
        }
        for border in [-width, width] { canvas.put(style.hasUnicode ? "░" : ":", at: border, share, .cone) }
      }
    }
    for step in stride(from: 0.3, through: 0.85, by: 0.5 / Double(radius)) {
      canvas.put(style.hasUnicode ? "│" : "|", at: 0, step, .needle)
    }
    canvas.put(style.hasUnicode ? "▲" : "^", at: 0, 1, .needle)
    canvas.put("+", at: 0, 0)
    for (index, name) in ["N", "NE", "E", "SE", "S", "SW", "W", "NW"].enumerated() where index.isMultiple(of: 2) || radius > 5 {
      canvas.write(name, at: Double(index) * 45 - heading, 1, index == 0 ? .north : .letter)
    }
    if let magneticNorth { canvas.write("m", at: magneticNorth - heading, 0.82, .north) }
    return canvas.lines { text, part in style.emphasise(text, part.emphasis) }
  }

  /// The parts of the picture, by which they are coloured.
  private enum Part {
    case ring, cone, needle, letter, north

    var emphasis: TerminalStyle.Emphasis? {
      switch self {
      case .ring: .faint
      case .cone: .cyan
      case .needle: .green
      case .letter: .bold
      case .north: .boldGreen
      }
    }
  }

  private struct Canvas {
    let radius: Int
    private var cells: [[(character: Character, part: Part)?]]

    init(radius: Int) {
      self.radius = radius
      cells = Array(repeating: Array(repeating: nil, count: 4 * radius + 1), count: 2 * radius + 1)
    }

    /// Puts a character at an angle clockwise from the top, and a share of the radius.
    mutating func put(_ character: Character, at degrees: Double, _ share: Double, _ part: Part = .ring) {
      let (row, column) = place(degrees, share)
      set(character, row, column, part)
    }

    /// Writes a name with its middle there.
    mutating func write(_ name: String, at degrees: Double, _ share: Double, _ part: Part = .letter) {
      let (row, column) = place(degrees, share)
      let first = Swift.max(0, Swift.min(4 * radius + 1 - name.count, column - (name.count - 1) / 2))
      for (index, character) in name.enumerated() { set(character, row, first + index, part) }
    }

    private func place(_ degrees: Double, _ share: Double) -> (row: Int, column: Int) {
      let angle = degrees / 180 * .pi
      let length = share * Double(radius)
      return (radius - Int((length * .cos(angle)).rounded()), 2 * radius + Int((2 * length * .sin(angle)).rounded()))
    }

    private mutating func set(_ character: Character, _ row: Int, _ column: Int, _ part: Part) {
      guard cells.indices.contains(row), cells[row].indices.contains(column) else { return }
      cells[row][column] = (character, part)
    }

    /// Returns the lines; runs of one part are coloured together.
    func lines(_ colour: (String, Part) -> String) -> [String] {
      cells.map { row in
        var (line, run) = ("", "")
        var part: Part?
        func flush() { line += part.map { colour(run, $0) } ?? run }
        for cell in row {
          if cell?.part != part {
            flush()
            (run, part) = ("", cell?.part)
          }
          run.append(cell?.character ?? " ")
        }
        flush()
        return line
      }
    }
  }
}
