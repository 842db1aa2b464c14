import Locations
import Records

/// A picture of the directions that a calibration lacks: the faces of a cube around the device, unfolded.
struct CoveragePicture {
  /// The faces in the order of the coverage, with their names on a device.
  private static let faces = ["right", "left", "top", "bottom", "front", "back"]
  private static let cells = 4
  private static let directions = 96
  /// The columns of six faces in a row whose cells have two rows.
  private static let widthOfLargeFaces = 106

  private let progress: Double
  private let isCovered: [Bool]
  private let style: TerminalStyle

  /// A coverage of another length, as of a later version, counts as none.
  init(_ status: CalibrationStatus, style: TerminalStyle) {
    let coverage = (status.coverage ?? "").utf8.map { $0 == UInt8(ascii: "1") }
    isCovered = coverage.count == Self.directions ? coverage : Array(repeating: false, count: Self.directions)
    let value = status.progress ?? 0
    progress = value.isFinite ? Swift.min(1, Swift.max(0, value)) : 0
    self.style = style
  }

  /// Returns the advice, the progress, and the faces with the measured and the missing cells.
  /// They are at most `rows` lines, none wider than `width`. A window without room for the faces has the names of those with missing cells.
  func lines(width: Int, rows: Int) -> [String] {
    let advice = "calibration: turn the device in all directions, so that each side points down and to every side once"
    let head = advice.wrapped(width) + [bar(width: width)]
    let scales = width >= Self.widthOfLargeFaces ? [2, 1] : [1]
    let pictures = scales.lazy.map { faceBlocks(width: width, scale: $0) }.first { head.count + $0.count <= rows } ?? []
    let missing = Self.faces.indices.filter { face in !covered(face).allSatisfy(\.self) }.map { Self.faces[$0] }
    let words = "missing: \(missing.isEmpty ? "nothing" : missing.joined(separator: ", "))".clipped(width, ellipsis: style.ellipsis)
    return Array((pictures.isEmpty ? head + [words] : head + pictures).prefix(rows))
  }

  private func covered(_ face: Int) -> ArraySlice<Bool> {
    let size = Self.cells * Self.cells
    return isCovered[(face * size)..<((face + 1) * size)]
  }

  private func bar(width: Int) -> String {
    let percent = "\(Int((progress * 100).rounded(.down))) %"
    let room = Swift.min(40, width - percent.columns - 3)
    guard room >= 4 else { return percent.clipped(width, ellipsis: style.ellipsis) }
    let filled = Int(progress * Double(room))
    return "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: room - filled))] \(percent)"
  }

  /// Returns the faces in rows of six, three or two, as the window permits.
  ///
  /// - Parameters:
  ///   - width: of the window.
  ///   - scale: the rows of a cell. It has twice as many columns, which is about a square.
  private func faceBlocks(width: Int, scale: Int) -> [String] {
    let (blockWidth, gap) = (2 * Self.cells * scale, 2)
    let count = [6, 3, 2, 1].first { $0 * (blockWidth + gap) - gap <= width } ?? 1
    return stride(from: 0, to: Self.faces.count, by: count).flatMap { start -> [String] in
      let faces = start..<Swift.min(start + count, Self.faces.count)
      let names = faces.map { Self.faces[$0].padded(blockWidth) }.joined(separator: "  ")
      // The axis of the rows points up.
      let rows = (0..<Self.cells).reversed().flatMap { row -> [String] in
        let line = faces.map { face in
          let cells = covered(face)
          let first = cells.startIndex + row * Self.cells
          return cells[first..<(first + Self.cells)].map { String(repeating: cell($0), count: scale) }.joined()
        }.joined(separator: "  ")
        return Array(repeating: line, count: scale)
      }
      return [names] + rows
    }.map { $0.clipped(width, ellipsis: "") }
  }

  private func cell(_ isCovered: Bool) -> String {
    if style.hasUnicode { return isCovered ? "██" : "··" }
    return isCovered ? "##" : ".."
  }
}
