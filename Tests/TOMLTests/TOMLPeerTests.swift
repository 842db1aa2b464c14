import ConfigurationTree
import Foundation
import TOML
import TestSupport
import Testing

/// Python's tomllib and the parser accept the same texts, and read the same values.
@Suite struct TOMLPeerTests {
  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `tomllib and the parser agree`(seed: UInt64) throws {
    print("TOML peer seed \(seed)")
    let texts = MutatedTOML(seed: seed).texts(count: 3000)
    let theirs = try tomllib(texts)
    try #require(theirs.count == texts.count)
    for (text, theirs) in zip(texts, theirs) {
      do throws(TOMLSyntaxError) {
        let ours = canonical(.table(try TOMLParser.parse(text)))
        #expect(ours == theirs, "seed \(seed): \(text.debugDescription)")
      } catch  where !error.message.contains("nested deeper") {
        #expect(theirs == "!", "seed \(seed): \(error) in \(text.debugDescription)")
      } catch {}
    }
  }

  /// Returns one line for each text: its contents in canonical form, or `!` if it is refused.
  private func tomllib(_ texts: [String]) throws -> [String] {
    let script = """
      import sys, struct, tomllib
      def canonical(v):
          if isinstance(v, bool): return 'b1' if v else 'b0'
          if isinstance(v, int):
              if not -2**63 <= v < 2**63: raise ValueError
              return 'i%d' % v
          if isinstance(v, float): return 'nnan' if v != v else 'n' + struct.pack('>d', v).hex()
          if isinstance(v, str): return 't' + v.encode().hex()
          if isinstance(v, list): return '[' + ','.join(map(canonical, v)) + ']'
          if isinstance(v, dict): return '{' + ','.join(sorted(k.encode().hex() + ':' + canonical(e) for k, e in v.items())) + '}'
          return 'd'
      for line in sys.stdin:
          try: print(canonical(tomllib.loads(bytes.fromhex(line.strip()).decode())))
          except Exception: print('!')
      """
    let file = FileManager.default.temporaryDirectory.appending(path: "beaconmon-\(UUID()).txt")
    try texts.map { hexadecimal($0.utf8) + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
    defer { unlink(file.path) }
    let output = Pipe()
    let input = try FileHandle(forReadingFrom: file)
    let python = try Child("/usr/bin/env", ["python3", "-c", script], input: .file(input), output: .pipe(output))
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(python.wait() == 0)
    return String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func canonical(_ value: ConfigurationNode.Value) -> String {
    switch value {
    case .flag(let flag): flag ? "b1" : "b0"
    case .integer(let integer): "i\(integer)"
    case .number(let number): number.isNaN ? "nnan" : "n" + hexadecimal(withUnsafeBytes(of: number.bitPattern.bigEndian, Array.init))
    case .text(let text): "t" + hexadecimal(text.utf8)
    case .date: "d"
    case .list(let nodes): "[\(nodes.map { canonical($0.value) }.joined(separator: ","))]"
    case .table(let nodes): "{\(nodes.map { "\(hexadecimal($0.utf8)):\(canonical($1.value))" }.sorted().joined(separator: ","))}"
    }
  }

  private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
