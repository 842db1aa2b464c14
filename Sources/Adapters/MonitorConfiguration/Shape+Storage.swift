extension Shape where Value == String {
  static var absolutePath: Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape.text(example: "/var/lib/beaconmon/journal.db").read(node)
      guard text.hasPrefix("/"), !text.hasSuffix("/") else { throw Mismatch("\(text.quoted) is no path of a file from /; write one") }
      return text
    }
  }
}

extension Shape where Value == Int {
  /// Octets, written with a binary unit.
  static func size(_ range: ClosedRange<Int>) -> Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape<String>.text(example: "64MiB").read(node)
      let units = ["KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
      guard let unit = units[String(text.suffix(3))], let number = Int(text.dropLast(3)), number > 0 else {
        throw Mismatch("\(text.quoted) is no size; write a number and KiB, MiB or GiB, such as \"64MiB\"")
      }
      let (size, overflow) = number.multipliedReportingOverflow(by: unit)
      guard !overflow, range.contains(size) else {
        throw Mismatch("\(text.quoted) is not between \(range.lowerBound >> 20)MiB and \(range.upperBound >> 30)GiB")
      }
      return size
    }
  }
}
