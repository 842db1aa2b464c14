/// The size of a picture in pixels, as its first octets state it.
///
/// PNG (ISO/IEC 15948, 11.2.2), JPEG (ITU-T T.81, B.2.2) and SVG 1.1 (section 7) are read. The picture itself is not decoded.
public struct PictureSize: Hashable, Sendable {
  public let width: Int
  public let height: Int

  /// The octets that are enough for the size. A JPEG may have pictures and colour profiles before it.
  public static let mostOctets = 1 << 20
  private static let most = 1_000_000

  private init?(_ width: Int, _ height: Int) {
    guard (1...Self.most).contains(width), (1...Self.most).contains(height) else { return nil }
    (self.width, self.height) = (width, height)
  }

  /// Reads the size; nil if the octets are not the beginning of such a picture, or state no size.
  public init?(_ octets: [UInt8]) {
    let size = Self.png(octets) ?? Self.jpeg(octets) ?? Self.svg(octets)
    guard let size else { return nil }
    self = size
  }

  private static func number(_ octets: [UInt8], _ range: Range<Int>) -> Int? {
    guard range.upperBound <= octets.count else { return nil }
    return octets[range].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func png(_ octets: [UInt8]) -> PictureSize? {
    guard octets.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), octets.dropFirst(12).starts(with: "IHDR".utf8),
      let width = number(octets, 16..<20), let height = number(octets, 20..<24)
    else { return nil }
    return PictureSize(width, height)
  }

  private static func jpeg(_ octets: [UInt8]) -> PictureSize? {
    guard octets.starts(with: [0xFF, 0xD8]) else { return nil }
    var position = 2
    while position + 4 <= octets.count {
      guard octets[position] == 0xFF else { return nil }
      let marker = octets[position + 1]
      // Fill octets before a marker, and markers without content.
      if marker == 0xFF {
        position += 1
      } else if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        position += 2
      } else {
        // Start of frame, except the tables DHT, JPG and DAC among its numbers.
        if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
          guard let height = number(octets, position + 5..<position + 7), let width = number(octets, position + 7..<position + 9) else {
            return nil
          }
          return PictureSize(width, height)
        }
        // The image data follow, and the size must come before.
        guard marker != 0xDA, marker != 0xD9, let length = number(octets, position + 2..<position + 4), length >= 2 else { return nil }
        position += 2 + length
      }
    }
    return nil
  }

  // MARK: SVG

  /// Pixels for each unit of length at 96 dpi (CSS Values and Units, 6.2).
  private static let units = ["": 1.0, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "pt": 96 / 72.0, "pc": 16]

  private static func svg(_ octets: [UInt8]) -> PictureSize? {
    let text = String(decoding: octets.prefix(65_536), as: UTF8.self)
    guard let attributes = attributes(ofSVG: text) else { return nil }
    let stated = ["width", "height"].map { attributes[$0].flatMap(length) }
    if let width = stated[0], let height = stated[1] { return PictureSize(width, height) }
    let box = (attributes["viewBox"] ?? "").split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
    guard box.count == 4, box[2] > 0, box[3] > 0, box[2] <= Double(most), box[3] <= Double(most) else { return nil }
    if let width = stated[0] { return PictureSize(width, pixels(Double(width) * box[3] / box[2]) ?? 0) }
    if let height = stated[1] { return PictureSize(pixels(Double(height) * box[2] / box[3]) ?? 0, height) }
    return PictureSize(pixels(box[2]) ?? 0, pixels(box[3]) ?? 0)
  }

  /// Returns a length in pixels; nil for a percentage.
  private static func length(_ text: String) -> Int? {
    let digits = text.prefix { $0.isNumber || $0 == "." }
    guard let value = Double(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
    return pixels(value * unit)
  }

  private static func pixels(_ length: Double) -> Int? { length > 0 && length <= Double(most) ? max(1, Int(length.rounded())) : nil }

  /// Returns the attributes of the root element; nil if the text has none.
  private static func attributes(ofSVG text: String) -> [String: String]? {
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: start)...]
      if rest.hasPrefix("!--") {
        guard let end = end(of: "-->", in: rest) else { return nil }
        rest = rest[end...]
      } else if rest.hasPrefix("svg"), rest.dropFirst(3).first?.isWhitespace == true {
        return attributes(rest.dropFirst(3))
      } else if rest.first?.isLetter == true {
        return nil
      }
    }
    return nil
  }

  private static func end(of mark: String, in text: Substring) -> Substring.Index? {
    var rest = text
    while let index = rest.firstIndex(of: mark.first ?? "-") {
      rest = rest[index...]
      if rest.hasPrefix(mark) { return rest.dropFirst(mark.count).startIndex }
      rest = rest.dropFirst()
    }
    return nil
  }

  private static func attributes(_ text: Substring) -> [String: String] {
    var attributes: [String: String] = [:]
    var rest = text
    while true {
      rest = rest.drop(while: \.isWhitespace)
      let name = rest.prefix { $0 != "=" && $0 != ">" && !$0.isWhitespace }
      rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
      guard !name.isEmpty, rest.first == "=" else { return attributes }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      guard let quote = rest.first, quote == "\"" || quote == "'" else { return attributes }
      let value = rest.dropFirst().prefix { $0 != quote }
      rest = rest.dropFirst(value.count + 2)
      attributes[String(name)] = String(value)
    }
  }
}
