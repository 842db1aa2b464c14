import Glibc

extension Damage {
  static func octets(of path: String, using random: inout some RandomNumberGenerator) throws -> String {
    var octets = try Files.read(path)
    let name = path.split(separator: "/").last ?? ""
    guard !octets.isEmpty else { return "\(name) is empty already" }
    // Half of the positions are in the header and the schema, or in the frame headers of a log.
    let place = Int.random(in: 0..<(Bool.random(using: &random) ? octets.count : min(octets.count, 600)), using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      let bit = UInt8(1) << Int.random(in: 0..<8, using: &random)
      octets[place] ^= bit
      try Files.write(octets, to: path)
      return "\(name): bit \(bit) of octet \(place) flipped"
    case 1:
      let length = min(octets.count - place, .random(in: 1...64, using: &random))
      for index in place..<place + length { octets[index] = 0 }
      try Files.write(octets, to: path)
      return "\(name): \(length) octets from \(place) are zero"
    case 2:
      let length = min(octets.count - place, .random(in: 1...32, using: &random))
      for index in place..<place + length { octets[index] = .random(in: 0...255, using: &random) }
      try Files.write(octets, to: path)
      return "\(name): \(length) octets from \(place) are random"
    case 3:
      let length = Int.random(in: 0..<octets.count, using: &random)
      try Files.write(octets[..<length], to: path)
      return "\(name): cut to \(length) of \(octets.count) octets"
    default:
      let length = Int.random(in: 1...5000, using: &random)
      octets.insert(
        contentsOf: (0..<length).map { _ in .random(in: 0...255, using: &random) }, at: Bool.random(using: &random) ? octets.count : place)
      try Files.write(octets, to: path)
      return "\(name): \(length) octets inserted"
    }
  }

  static func page(of path: String, older: String, using random: inout some RandomNumberGenerator) throws -> String {
    var octets = try Files.read(path)
    let size = octets.count > 17 ? max(512, Int(octets[16]) << 8 | Int(octets[17])) : 4096
    let count = octets.count / size
    guard count > 1 else { return "no pages" }
    func range(_ page: Int) -> Range<Int> { page * size..<(page + 1) * size }
    let (one, other) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
    let text: String
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      octets.replaceSubrange(range(one), with: repeatElement(0, count: size))
      text = "page \(one) of \(count) is zero"
    case 1:
      let copy = Array(octets[range(one)])
      octets.replaceSubrange(range(one), with: Array(octets[range(other)]))
      octets.replaceSubrange(range(other), with: copy)
      text = "pages \(one) and \(other) of \(count) swapped"
    case 2:
      octets.replaceSubrange(range(one), with: Array(octets[range(other)]))
      text = "page \(other) of \(count) stands in place of \(one) too"
    case 3:
      octets.replaceSubrange(range(one), with: (0..<size).map { _ in .random(in: 0...255, using: &random) })
      text = "page \(one) of \(count) is random"
    default:
      let stale = Files.exists(older) ? try Files.read(older) : []
      guard stale.count >= (one + 1) * size else { return "the older copy has no page \(one)" }
      octets.replaceSubrange(range(one), with: stale[range(one)])
      text = "page \(one) of \(count) is that of the older copy"
    }
    try Files.write(octets, to: path)
    return text
  }
}
