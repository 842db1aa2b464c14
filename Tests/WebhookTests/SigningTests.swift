import EventLoop
import TestSupport
import Testing

@testable import Webhook

@Suite struct SigningTests {
  /// The signature in the test of the specification's own library.
  ///
  /// The source is standard-webhooks, libraries/javascript/src/webhook.test.ts, "sign function works".
  @Test(arguments: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
  func `the published example has its published signature`(secret: String) throws {
    let key = try #require(SigningKey(secret))
    let signature = try key.signature(id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: #"{"test": 2432232314}"#)
    #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test(arguments: [24, 31, 32, 33, 63, 64])
  func `a key of any permitted length signs as Python does`(length: Int) throws {
    let script = """
      import base64, hashlib, hmac, sys
      key = bytes(range(1, 1 + int(sys.argv[1])))
      code = hmac.new(key, 'a.7.{"région":"é"}'.encode(), hashlib.sha256).digest()
      print(base64.b64encode(key).decode(), base64.b64encode(code).decode())
      """
    let words = try Loop().result(of: ["python3", "-c", script, "\(length)"]).output.text.split(whereSeparator: \.isWhitespace).map(
      String.init)
    let key = try #require(SigningKey("whsec_" + words[0]))
    #expect(try key.signature(id: "a", timestamp: 7, body: #"{"région":"é"}"#) == "v1," + words[1])
  }

  @Test(arguments: ["", "whsec_", "whsec_AAAA", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa!w", "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
  func `a key of other than 24 to 64 octets is refused`(text: String) {
    #expect(SigningKey(text) == nil)
  }

  /// RFC 4231, section 4.3.
  @Test func `the published example has its published authentication code`() throws {
    let code = try MessageAuthentication.code(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    let digits = code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(digits == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }
}
