import BeaconAdvertising
import Glibc

/// The results of one pass over a capture, without its time.
protocol Pass {
  var counts: AdvertisementCounts { get }
  /// The checksum of the accepted iBeacons in any order.
  ///
  /// It equals the capture's truth if exactly the right ones were accepted.
  var checksum: UInt64 { get }
  /// Additional members of the JSON line, each with a leading comma.
  var details: String { get }
}

/// Runs the job `passes` times and reports the fastest.
///
/// Only the job's own processor time counts: the capture is loaded before.
func measure(_ passes: Int, peer: String, octets: [UInt8], job: () throws(CaptureError) -> some Pass) -> String {
  var first = 0.0
  var best = Double.infinity
  var line = ""
  for number in 0..<passes {
    do throws(CaptureError) {
      let start = processorSeconds()
      let pass = try job()
      let seconds = processorSeconds() - start
      if number == 0 { first = seconds }
      best = min(best, seconds)
      let counts = pass.counts
      let packets = Double(max(counts.packets, 1))
      line = """
        {"peer":"\(peer)","bytes":\(octets.count),"advs":\(counts.packets),"wellformed":\(counts.reports),\
        "accepted":\(counts.iBeacons),"checksum":"\(hexadecimal(pass.checksum))","cpu_s":\(rounded(best, 6)),"first_s":\(rounded(first, 6)),\
        "ns_per_adv":\(rounded(best * 1e9 / packets, 2)),"adv_per_s":\(rounded(packets / best, 0)),\
        "GB_per_s":\(rounded(Double(octets.count) / best * 1e-9, 2)),"hwm_kib":\(peakResidentKiB())\(pass.details)}
        """
    } catch {
      fail("\(error)", code: EX_DATAERR)
    }
  }
  return line
}

func contents(of path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  var status = stat()
  guard descriptor >= 0, fstat(descriptor, &status) == 0 else { fail("\(path): \(String(cString: strerror(errno)))", code: EX_NOINPUT) }
  defer { close(descriptor) }
  return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
    while count < buffer.count {
      let more = read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      guard more > 0 else { break }
      count += more
    }
  }
}

func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Returns the peak of resident memory, `VmHWM`. Unlike `ru_maxrss` it does not include the launcher's memory.
func peakResidentKiB() -> Int { statusKiB("VmHWM:") }

func residentKiB() -> Int { statusKiB("VmRSS:") }

/// Returns the resident octets by which ten engines grow the process, per region.
func octets<Engine>(forEach count: Int, _ engine: () -> Engine) -> Double {
  let before = residentKiB()
  let engines = (0..<10).map { _ in engine() }
  let after = residentKiB()
  return Double(after - before) * 1024 / Double(engines.count * count)
}

/// Returns a value of /proc/self/status in KiB; zero if it is absent.
private func statusKiB(_ name: String) -> Int {
  let descriptor = open("/proc/self/status", O_RDONLY)
  defer { close(descriptor) }
  var status = [UInt8](repeating: 0, count: 8192)
  let count = read(descriptor, &status, status.count)
  let lines = String(decoding: status.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
  let digits = lines.first { $0.hasPrefix(name) }?.filter { $0.isNumber }
  return digits.flatMap { Int($0) } ?? 0
}

private func hexadecimal(_ value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

func rounded(_ value: Double, _ places: Int) -> String {
  var text = [CChar](repeating: 0, count: 64)
  _ = withVaList([Int32(places), value]) { vsnprintf(&text, text.count, "%.*f", $0) }
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
