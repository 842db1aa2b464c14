import Seeds
import Testing
import Venues

@Suite struct PictureSizeTests {
  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + [
      0, 0, 0x09, 0x60, 0, 0, 0x06, 0x40, 8, 6, 0, 0, 0,
    ]
  /// An application segment, a table, and a progressive frame of 640 x 480.
  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC4, 0, 3, 0, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0x01, 0xE0, 0x02, 0x80, 1, 1, 0x11, 0]

  private func size(_ octets: [UInt8]) -> [Int]? { PictureSize(octets).map { [$0.width, $0.height] } }
  private func svg(_ attributes: String) -> [Int]? {
    size(Array("<?xml version=\"1.0\"?>\n<!-- a <svg width='1'> -->\n<!DOCTYPE svg>\n<svg xmlns=\"x\" \(attributes)><g/></svg>".utf8))
  }

  @Test func `the size of PNG and JPEG pictures is read from their headers`() {
    #expect(size(Self.png) == [2400, 1600])
    #expect(size(Self.jpeg) == [640, 480])
  }

  @Test(arguments: [
    ("width='800' height='600'", [800, 600]), ("height=\"60px\" width=\"80.4px\"", [80, 60]), ("width='25.4mm' height='1in'", [96, 96]),
    ("viewBox='0 0 300 200'", [300, 200]), ("width='100%' height='100%' viewBox='0,0,30,20'", [30, 20]),
    ("width='600' viewBox='0 0 300 200'", [600, 400]), ("height='50' viewBox='0 0 300 200'", [75, 50]),
  ])
  func `the size of an SVG picture is that of its attributes, or of its view box`(attributes: String, expected: [Int]) {
    #expect(svg(attributes) == expected)
  }

  @Test(arguments: [
    "", "width='100%' height='100%'", "viewBox='0 0 0 0'", "viewBox='0 0 nan 5'", "width='1e99' height='5'", "width='-5' height='5'",
  ])
  func `an SVG picture without a size is refused`(attributes: String) {
    #expect(svg(attributes) == nil)
  }

  @Test func `damaged pictures are refused or read, and never crash`() {
    var random = SeededGenerator(seed: 7)
    let svg = Array("<svg width='80' height='60' viewBox='0 0 8 6'>".utf8)
    for picture in [Self.png, Self.jpeg, svg] {
      for length in picture.indices { _ = PictureSize(Array(picture.prefix(length))) }
      for _ in 0..<2000 {
        var damaged = picture
        for _ in 0..<3 { damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random) }
        if let size = PictureSize(damaged) { #expect(size.width > 0 && size.height > 0) }
      }
    }
    #expect(size([]) == nil && size(Array("GIF89a".utf8)) == nil && size(Array("<html><svg width='1' height='1'></html>".utf8)) == nil)
  }
}
