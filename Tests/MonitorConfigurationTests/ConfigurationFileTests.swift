import Glibc
import MonitorConfiguration
import Testing

@Suite struct ConfigurationFileTests {
  @Test func `the error for a missing file names the file and states that it is missing`() {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.read(file: "/nowhere/beaconmon.toml") }
    #expect(error == .unreadable(file: "/nowhere/beaconmon.toml", code: ENOENT))
    #expect(error?.description == "/nowhere/beaconmon.toml: cannot be read: No such file or directory; check the path")
  }

  @Test func `a folder is refused as a config`() {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.read(file: "/") }
    #expect(error?.description == "/: cannot be read: Is a directory; specify a file in it")
  }

  @Test func `an endless file is refused`() {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.read(file: "/dev/zero") }
    #expect(error?.description == "/dev/zero: is larger than 1 MiB, the limit for a configuration; check the path")
  }

  @Test func `a file in another encoding is refused`() throws {
    let path = try temporaryFile(Array("# ok\n# caf".utf8) + [0xE9, 0x0A])
    defer { unlink(path) }
    let error = #expect(throws: ConfigurationError.self) { try Configuration.read(file: path) }
    #expect(error?.description == "\(path):2: is not UTF-8; save the file as UTF-8")
  }

  @Test func `the errors of a file contain its path`() throws {
    let path = try temporaryFile(Array("capture-speed = 0".utf8))
    defer { unlink(path) }
    let error = #expect(throws: ConfigurationError.self) { try Configuration.read(file: path) }
    #expect(error?.description == "\(path):1: capture-speed: 0 is not between 0.001 and 1000000")
  }

  private func temporaryFile(_ bytes: [UInt8]) throws -> String {
    var template = Array("/tmp/beaconmon-test-XXXXXX".utf8CString)
    let descriptor = try #require(mkstemp(&template) as Int32?)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
