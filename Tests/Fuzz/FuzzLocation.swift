import GPSD
import Geodesy
import Instants
import Locations
import NMEA
import Records
import TrackRecordings

/// Runs one input of libFuzzer, whose first octet selects how the rest is used.
///
/// Findings are any trap, any line that is counted twice or not at all, any difference that chunking makes and any impossible location.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLocation(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = input.first else { return 0 }
  // Random input hardly ever has a valid checksum, so the code behind it would not be tested.
  let rest = choice & 2 == 0 ? Array(input.dropFirst()) : sentences(Array(input.dropFirst()))
  let chunk = 1 + Int(choice >> 2)
  if choice & 1 == 0 {
    let whole = decodeNMEA(rest, chunk: .max)
    precondition(whole == decodeNMEA(rest, chunk: chunk), "chunking changed the result")
    whole.reports.forEach(check)
  } else {
    let whole = decodeGPSD(rest, chunk: .max)
    precondition(whole == decodeGPSD(rest, chunk: chunk), "chunking changed the result")
    for case .epoch(let report, _) in whole.reports { check(report) }
  }
  let walk = decodeWalk(rest, chunk: .max)
  precondition(walk == decodeWalk(rest, chunk: chunk), "chunking changed the walk")
  for report in walk.reports { check(report.report) }
  return 0
}

/// Wraps each line as the content of a sentence.
private func sentences(_ octets: [UInt8]) -> [UInt8] {
  octets.split(separator: 10).flatMap { line in
    let sum = String(line.reduce(0, ^), radix: 16)
    return Array("$".utf8) + line + Array("*\(sum.count < 2 ? "0" : "")\(sum)\r\n".utf8)
  }
}

private struct NMEAResult: Equatable {
  var reports: [SourceReport] = []
  var counts = LineCounts<NMEAFault>()
}

private func decodeNMEA(_ octets: [UInt8], chunk: Int) -> NMEAResult {
  var decoder = NMEADecoder()
  var result = NMEAResult()
  for piece in pieces(octets, chunk) { decoder.decode(piece, at: Instant(microseconds: 0), into: &result.reports) }
  decoder.finish(into: &result.reports)
  result.counts = decoder.counts
  checkLines(result.counts.lines, octets)
  return result
}

private struct GPSDResult: Equatable {
  var reports: [GPSDReport] = []
  var counts = LineCounts<GPSDFault>()
}

private func decodeGPSD(_ octets: [UInt8], chunk: Int) -> GPSDResult {
  var decoder = GPSDDecoder(isRecording: true)
  var result = GPSDResult()
  for piece in pieces(octets, chunk) { decoder.decode(piece, into: &result.reports) }
  result.counts = decoder.counts
  checkLines(result.counts.lines, octets)
  return result
}

private struct WalkResult: Equatable {
  var reports: [WalkReport] = []
  var hasFailed = false
}

private func decodeWalk(_ octets: [UInt8], chunk: Int) -> WalkResult {
  var decoder = WalkDecoder()
  var result = WalkResult()
  do throws(WalkError) {
    for piece in pieces(octets, chunk) { try decoder.decode(piece, into: &result.reports) }
    try decoder.finish(into: &result.reports)
  } catch {
    result.hasFailed = true
  }
  precondition(result.reports.allSatisfy { decoder.period?.contains($0.time) == true }, "a report outside the walk")
  return result
}

private func pieces(_ octets: [UInt8], _ chunk: Int) -> [ArraySlice<UInt8>] {
  stride(from: 0, to: octets.count, by: min(chunk, max(1, octets.count))).map { octets[$0...].prefix(chunk) }
}

/// Checks the number of lines. A line that is too long is counted before its end.
private func checkLines(_ count: Int, _ octets: [UInt8]) {
  let ended = octets.split(separator: 10, omittingEmptySubsequences: false).dropLast().count { !$0.isEmpty && $0 != [13] }
  precondition((ended...ended + 1).contains(count), "lines do not add up")
}

private func check(_ report: SourceReport) {
  guard case .reading(let reading) = report else { return }
  do throws(LocationRefusal) {
    let location = try Location(reading, from: Location.Source("nmea"), at: Receipt(recorded: Instant(microseconds: 0)))
    precondition(reading.isFix && abs(location.coordinate.latitude) <= 90 && abs(location.coordinate.longitude) <= 180)
    for accuracy in [location.horizontalAccuracy, location.verticalAccuracy, location.speedAccuracy, location.courseAccuracy] {
      precondition(accuracy.map { $0 > 0 && $0.isFinite } ?? true)
    }
    precondition(location.course.map { (0..<360).contains($0) } ?? true)
    _ = location.report(at: Instant(microseconds: 1)).record.json
  } catch {}
}
