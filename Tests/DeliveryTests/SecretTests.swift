import Delivery
import EventActions
import Foundation
import TestSupport
import Testing

@Suite struct SecretTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func file(_ content: String) throws -> SecretPlace {
    try Data(content.utf8).write(to: URL(fileURLWithPath: folder.file("s")))
    return .file(folder.file("s"))
  }

  @Test(arguments: ["word", "word\n", "word\r\n", "word\n\n"])
  func `a file's one line is the secret`(content: String) throws {
    #expect(try Secrets(environment: [:]).secret(at: try file(content)) == "word")
  }

  @Test func `a credential is where systemd put it`() throws {
    _ = try file("pass word")
    #expect(try Secrets(environment: ["CREDENTIALS_DIRECTORY": folder.path]).secret(at: .credential("s")) == "pass word")
  }

  @Test(
    arguments: [
      ("", "is empty; write the secret into it"), ("\n", "is empty; write the secret into it"),
      ("one\ntwo", "contains no secret; write one line of text"), ("a\u{0}b", "contains no secret; write one line of text"),
      (String(repeating: "x", count: 70_000), "contains no secret; write one line of text"),
    ])
  func `what is no secret is refused, and not shown`(content: String, message: String) throws {
    let place = try file(content)
    let error = #expect(throws: SecretError.self) { try Secrets(environment: [:]).secret(at: place) }
    #expect(error?.description == "\(folder.file("s")): \(message)")
  }

  @Test func `a file that cannot be read is named, and a credential that is not there says how to get it`() throws {
    let error = #expect(throws: SecretError.self) { try Secrets(environment: [:]).secret(at: .file("/nowhere/s")) }
    #expect(error?.description == "/nowhere/s: cannot be read: No such file or directory (ENOENT); let the user of the notifier read it")
    let other = #expect(throws: SecretError.self) { try Secrets(environment: [:]).secret(at: .credential("till")) }
    #expect(other?.description == "credential till: the unit does not have it; add LoadCredential=till:FILE to it")
    let third = #expect(throws: SecretError.self) {
      try Secrets(environment: ["CREDENTIALS_DIRECTORY": folder.path]).secret(at: .credential("till"))
    }
    #expect(third == other)
  }
}
