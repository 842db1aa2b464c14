import Sodium
import Testing

@Suite struct PasswordHashTests {
  @Test func `a hash belongs to its password alone, and has the stated cost`() throws {
    let hash = try PasswordHash(of: "correct horse battery")
    #expect(hash.text.hasPrefix("$argon2id$v=19$m=65536,t=3,p=1$"))
    #expect(try hash.matches("correct horse battery"))
    #expect(
      try !hash.matches("correct horse battery ") && !hash.matches("") && !PasswordHash(stored: hash.text).matches("Correct horse battery"))
    #expect(try PasswordHash(of: "correct horse battery").text != hash.text)
  }

  @Test(arguments: [
    "", "x", "$argon2id$", "$argon2id$v=19$m=65536,t=3,p=1$AAAA", "$argon2i$v=19$m=1024,t=3,p=1$c2FsdHNhbHRzYWx0$AAAA",
    "$argon2id$v=19$m=4194304,t=3,p=1$c2FsdHNhbHRzYWx0c2FsdA$q83vq83vq83vq83vq83vq83vq83vq83vq83vq83vq80",
    "$argon2id$v=19$m=65536,t=4000000000,p=1$c2FsdHNhbHRzYWx0c2FsdA$q83vq83vq83vq83vq83vq83vq83vq83vq83vq83vq80",
  ])
  func `a damaged or a more expensive hash belongs to no password`(text: String) throws {
    #expect(try !PasswordHash(stored: text).matches("correct horse battery"))
  }
}
