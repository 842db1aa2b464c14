import Beacons
import TOML

extension Shape where Value == String {
  static var absolutePath: Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape.text(example: "/var/lib/beaconmon/journal.db").read(node)
      guard text.hasPrefix("/"), !text.hasSuffix("/") else { throw Mismatch("\(text.quoted) is not an absolute path of a file") }
      return text
    }
  }
}

extension Shape where Value == DataSize {
  static func size(_ range: ClosedRange<UInt64>) -> Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape<String>.text(example: "64MiB").read(node)
      guard let size = DataSize(text: text) else {
        throw Mismatch("\(text.quoted) is not a size; write a whole number and kB, MB, GB, KiB, MiB or GiB, such as \"64MiB\"")
      }
      guard range.contains(size.octets) else {
        throw Mismatch(
          "\(text.quoted) is not between \(DataSize(octets: range.lowerBound).text) and \(DataSize(octets: range.upperBound).text)")
      }
      return size
    }
  }
}
