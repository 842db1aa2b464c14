import EventActions
import LocalTargets
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
  func `a secret is the single line of its file`(content: String) throws {
    #expect(try Secrets(environment: [:]).secret(at: try file(content)) == "word")
  }

  @Test func `a credential is read from systemd's directory`() throws {
    _ = try file("pass word")
    #expect(try Secrets(environment: ["CREDENTIALS_DIRECTORY": folder.path]).secret(at: .credential("s")) == "pass word")
  }

  @Test(
    arguments: [
      ("", "is empty; write the secret into it"), ("\n", "is empty; write the secret into it"),
      ("one\ntwo", "contains no secret; write one line of text"), ("a\u{0}b", "contains no secret; write one line of text"),
      (String(repeating: "x", count: 70_000), "contains no secret; write one line of text"),
    ])
  func `an invalid secret is refused without being shown`(content: String, message: String) throws {
    let place = try file(content)
    let error = #expect(throws: SecretError.self) { try Secrets(environment: [:]).secret(at: place) }
    #expect(error?.description == "\(folder.file("s")): \(message)")
  }

  @Test func `an unreadable secret file is named, and the error for a missing credential explains how to provide it`() throws {
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
