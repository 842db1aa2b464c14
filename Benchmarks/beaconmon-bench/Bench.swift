import BeaconAdvertising
import Glibc

/// `beaconmon-bench parse|full FILE [PASSES]`: one line of JSON on stdout, as the peers in its run print it.
@main
struct Bench {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let mode = arguments.first, let path = arguments.dropFirst().first else {
      fail("usage: beaconmon-bench parse|full FILE [PASSES]", code: EX_USAGE)
    }
    let passes = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1
    guard passes > 0 else { fail("PASSES is a number above zero", code: EX_USAGE) }
    let octets = contents(of: path)
    switch mode {
    case "parse":
      writeLine(
        measure(passes, peer: "beaconmon-parse", octets: octets) { () throws(CaptureError) in try ParsePass(octets) }, to: STDOUT_FILENO)
    case "full":
      writeLine(
        measure(passes, peer: "beaconmon-full", octets: octets) { () throws(CaptureError) in try FullPass(octets) }, to: STDOUT_FILENO)
    default: fail("mode \"\(mode)\" is not known; there are parse and full", code: EX_USAGE)
    }
  }
}

func writeLine(_ text: String, to descriptor: CInt) {
  let line = text + "\n"
  _ = line.utf8CString.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count - 1) }
}

func fail(_ message: String, code: CInt) -> Never {
  writeLine("beaconmon-bench: " + message, to: STDERR_FILENO)
  exit(code)
}
