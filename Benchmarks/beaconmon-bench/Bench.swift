import BeaconAdvertising
import Glibc
import Instants

/// Measures the product's own code, with the same jobs and output as the peers: see `usage`.
@main
struct Bench {
  private static let usage = """
    usage: beaconmon-bench parse|full FILE [PASSES]    one line of JSON about the fastest of the passes
           beaconmon-bench regions [PASSES]            10,000 regions and 2,000 sightings a second, in the engine alone
           beaconmon-bench circles [PASSES]            10,000 circles and a walk through them, in the engine alone
           beaconmon-bench indoor [PASSES]             a second of the room filter, in a small and in a large building
           beaconmon-bench heading [PASSES]            a heading update in Core, and a value of the magnetic model
           beaconmon-bench routes [PASSES]             the slowest of some routes over 10,124 edges
           beaconmon-bench walks COUNT SEED [KIND...]  faults of guidance on COUNT simulated walks of each kind of visitor
           beaconmon-bench geo PREFIX [PASSES]         which circles contain each fix; PREFIX.regions and PREFIX.fixes
           beaconmon-bench emit ADDRESS N RATE         N signals to the bus, RATE per second; 0: as fast as it takes them
           beaconmon-bench h4 FD                       HCI packets from a SOCK_SEQPACKET, one H4 packet per message, until its end
           beaconmon-bench bluez ADDRESS N             N reports from whoever is org.bluez on that bus
           beaconmon-bench hci ADAPTER SECONDS [scan]  what an adapter hears; with a passive scan of its own
    """

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "parse" where (2...3).contains(arguments.count):
      pass(arguments) { octets, passes in
        measure(passes, peer: "beaconmon-parse", octets: octets) { () throws(CaptureError) in try ParsePass(octets) }
      }
    case "full" where (2...3).contains(arguments.count):
      pass(arguments) { octets, passes in
        measure(passes, peer: "beaconmon-full", octets: octets) { () throws(CaptureError) in try FullPass(octets) }
      }
    case "regions" where arguments.count <= 2:
      guard let passes = arguments.count > 1 ? Int(arguments[1]) : 1, passes > 0 else {
        fail("PASSES is a number above zero", code: EX_USAGE)
      }
      writeLine(RegionPass().run(passes), to: STDOUT_FILENO)
    case "circles" where arguments.count <= 2:
      guard let passes = arguments.count > 1 ? Int(arguments[1]) : 1, passes > 0 else {
        fail("PASSES is a number above zero", code: EX_USAGE)
      }
      writeLine(CirclePass().run(passes), to: STDOUT_FILENO)
    case "indoor" where arguments.count <= 2:
      guard let passes = arguments.count > 1 ? Int(arguments[1]) : 1, passes > 0 else {
        fail("PASSES is a number above zero", code: EX_USAGE)
      }
      writeLine(IndoorPass().run(passes), to: STDOUT_FILENO)
    case "heading" where arguments.count <= 2:
      guard let passes = arguments.count > 1 ? Int(arguments[1]) : 1, passes > 0 else {
        fail("PASSES is a number above zero", code: EX_USAGE)
      }
      writeLine(HeadingPass().run(passes), to: STDOUT_FILENO)
    case "routes" where arguments.count <= 2:
      guard let passes = arguments.count > 1 ? Int(arguments[1]) : 1, passes > 0 else {
        fail("PASSES is a number above zero", code: EX_USAGE)
      }
      writeLine(RoutePass().run(passes), to: STDOUT_FILENO)
    case "walks" where arguments.count >= 3:
      guard let count = Int(arguments[1]), let seed = UInt64(arguments[2]), count > 0, seed < 1 << 62 else {
        fail("COUNT is a number above zero, SEED one that is not below", code: EX_USAGE)
      }
      WalkPass().run(count, seed: seed, kinds: Array(arguments.dropFirst(3)))
    case "geo" where (2...3).contains(arguments.count):
      guard let passes = arguments.count > 2 ? Int(arguments[2]) : 5, passes > 0 else {
        fail("PASSES is a number above zero", code: EX_USAGE)
      }
      writeLine(GeoPass(prefix: arguments[1]).run(passes), to: STDOUT_FILENO)
    case "emit" where arguments.count == 4: emit(arguments)
    case "h4" where arguments.count == 2: hear(arguments[1])
    case "bluez" where arguments.count == 3: discover(arguments[1], arguments[2])
    case "hci" where arguments.count == 3 || arguments.count == 4 && arguments[3] == "scan":
      hear(arguments[1], for: arguments[2], scans: arguments.count == 4)
    default: fail(usage, code: EX_USAGE)
    }
  }

  private static func pass(_ arguments: [String], _ job: ([UInt8], Int) -> String) {
    let passes = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 1
    guard passes > 0 else { fail("PASSES is a number above zero", code: EX_USAGE) }
    writeLine(job(contents(of: arguments[1]), passes), to: STDOUT_FILENO)
  }

  private static func hear(_ number: String) {
    guard let descriptor = CInt(number), descriptor > STDERR_FILENO else { fail("FD is the number of an open descriptor", code: EX_USAGE) }
    hear { try PacketDaemon(descriptor: descriptor) }
  }

  private static func hear(_ adapter: String, for seconds: String, scans: Bool) {
    guard let seconds = Double(seconds), seconds > 0 else { fail("SECONDS is a number above zero", code: EX_USAGE) }
    hear { try PacketDaemon(adapter: adapter, scans: scans, for: .seconds(seconds)) }
  }

  private static func discover(_ address: String, _ count: String) {
    guard let total = Int(count), total > 0 else { fail("N is a number above zero", code: EX_USAGE) }
    do {
      writeLine(try SignalDaemon(address: address, total: total).run(), to: STDOUT_FILENO)
    } catch {
      fail("\(error)", code: EX_UNAVAILABLE)
    }
  }

  private static func hear(_ daemon: () throws -> PacketDaemon) {
    do {
      writeLine(try daemon().run(), to: STDOUT_FILENO)
    } catch {
      fail("\(error)", code: EX_UNAVAILABLE)
    }
  }

  private static func emit(_ arguments: [String]) {
    guard let total = Int(arguments[2]), total > 0, let rate = Double(arguments[3]), rate >= 0 else {
      fail("N is a number above zero, RATE one that is not below", code: EX_USAGE)
    }
    do {
      try SignalEmitter(address: arguments[1], total: total, rate: rate).run()
    } catch {
      fail("\(error)", code: EX_UNAVAILABLE)
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
