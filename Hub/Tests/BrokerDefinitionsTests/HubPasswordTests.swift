import BrokerDefinitions
import Testing

@Suite struct HubPasswordTests {
  private let password: HubPassword
  /// The hash that RabbitMQ 3.10.8 stored after `rabbitmqctl change_password`.
  private let stored = "rERceyvZVIHrZKD7GeWdeLnDOoYeDf3ZKH4u/KrTznL4yHIk"

  init() throws { password = try HubPassword("correct horse battery staple") }

  @Test func `a hash is that of RabbitMQ with the same salt`() {
    #expect(password.hash(salt: 0xac44_5c7b) == stored && password.fits(stored))
  }

  @Test func `a hash fits its password alone, and has a new salt`() throws {
    let hash = password.hash()
    #expect(password.fits(hash) && hash != password.hash())
    #expect(try !HubPassword("correct horse battery staplf").fits(hash))
  }

  @Test(arguments: ["", "x", "rERcew==", "rERceyvZVIHrZKD7GeWdeLnDOoYeDf3ZKH4u/KrTznL4yHI=", "=", "c2VjcmV0"])
  func `a damaged hash fits no password`(hash: String) {
    #expect(!password.fits(hash))
  }

  @Test func `a short password is refused, and no error and no description has the password`() throws {
    let error = try #require(throws: HubPasswordError.self) { try HubPassword(String(repeating: "s", count: 19)) }
    #expect(error.description.contains("20 characters") && !error.description.contains("ss "))
    #expect(!"\(password)\(String(reflecting: password))".contains("horse"))
    #expect(try HubPassword("ünïcödé-ünïcödé-ünïc").fits(HubPassword("ünïcödé-ünïcödé-ünïc").hash()))
  }
}
