public import HTTPMessages
public import Records

/// The reason why the page gets no answer to a request: a sentence for people and a name for the page.
public struct PageRefusal: Error, Hashable, Sendable {
  public let status: Int
  public let code: String
  /// The problem with its remedy.
  public let message: String
  /// Further keys of the answer.
  public var details = Record()
  /// The lines of a list named `problems`; nil without that list.
  public var problems: [String]?

  public init(_ status: Int, _ code: String, _ message: String) {
    (self.status, self.code, self.message) = (status, code, message)
  }

  public var response: HTTPServerResponse {
    var record = Record(["error": .text(message), "code": .text(code)])
    record.append(details)
    var json = record.json
    if let problems { json = json.dropLast() + ",\"problems\":\(JSONTexts.list(problems))}" }
    return HTTPServerResponse(status: status, contentType: "application/json", json)
  }

  static let noSession = PageRefusal(
    401, "no-session", "your login has ended; run \"beaconmon web login\" on the device and open its address")
  static let foreignHost = PageRefusal(
    403, "host", "the request names another host; open the page by its own address, or add the name to hosts of [web] in beaconmon.toml")
  public static let foreignOrigin = PageRefusal(403, "origin", "the request comes from a page of another site, which may not use this one")
  public static let wrongFormToken = PageRefusal(403, "form-token", "the request has no valid form token; load the page again")
  static let viewer = PageRefusal(403, "role", "your login may only view; run \"beaconmon web login --edit\" on the device")
  public static let noRoute = PageRefusal(404, "not-found", "the server has no such address")
  static let daemonAbsent = PageRefusal(
    503, "daemon-absent", "beaconmond is not running; start it with \"systemctl start beaconmond\", and the page continues by itself")

  public static func missing(_ argument: String) -> PageRefusal {
    PageRefusal(400, "argument", "the request needs the argument \(argument)")
  }
}

/// Lists of texts as JSON, which a record does not have.
enum JSONTexts {
  static func list(_ texts: [String]) -> String {
    "[\(texts.map(\.asJSON).joined(separator: ","))]"
  }
}
