import Instants
import Metrics
import Testing

@Suite struct MetricTextTests {
  private func text(_ build: (inout MetricFamily) -> Void, help: String = "A value.") -> String {
    var set = MetricSet()
    set.add("a_b", .gauge, help, build)
    return set.text
  }

  @Test func `a family has its help, its type and its samples in order`() {
    let text = text {
      $0.add(2, ["x": "1"])
      $0.add(1, ["x": "0", "y": ""])
    }
    #expect(text == "# HELP a_b A value.\n# TYPE a_b gauge\na_b{x=\"1\"} 2\na_b{x=\"0\",y=\"\"} 1\n")
  }

  @Test func `a label escapes quotation marks, backslashes and line ends, and nothing else`() {
    #expect(text { $0.add(1, ["x": "a\"b\\c\nd ü €\t'"]) }.hasSuffix("{x=\"a\\\"b\\\\c\\nd ü €\t'\"} 1\n"))
    #expect(text { $0.add(1, ["x": "\r\n"]) }.hasSuffix("{x=\"\r\\n\"} 1\n"))
  }

  @Test func `a help text escapes backslashes and line ends`() {
    #expect(text({ $0.add(1) }, help: "a\\b\n\"c\"").hasPrefix("# HELP a_b a\\\\b\\n\"c\"\n"))
  }

  @Test(
    arguments: [
      (0.0, "0"), (-0.0, "0"), (1.5, "1.5"), (1e15, "1000000000000000"), (1e300, "1e+300"), (-2, "-2"), (0.001, "0.001"),
      (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"), (1_795_444_393.275, "1795444393.275"),
    ] as [(Double, String)])
  func `a number is written as Prometheus reads it`(value: Double, expected: String) {
    #expect(text { $0.add(value) }.hasSuffix("\na_b \(expected)\n"))
  }

  @Test func `a family without samples is absent`() {
    var set = MetricSet()
    set.add("a", .gauge, "A value.", nil as Double?)
    set.add("b", .gauge, "A value.", nil as Instant?)
    #expect(set.text == "")
  }

  @Test func `an empty set of metrics is an empty text`() {
    #expect(MetricSet().text == "")
  }
}
