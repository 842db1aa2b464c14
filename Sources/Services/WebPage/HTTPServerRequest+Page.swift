public import HTTPMessages
public import Records

extension HTTPServerRequest {
  /// Returns the content as a JSON object.
  public func json() throws(PageRefusal) -> Record {
    do throws(JSONError) { return try Record(json: String(decoding: content, as: UTF8.self)) } catch {
      throw PageRefusal(400, "json", "the content is not a JSON object: \(error)")
    }
  }

  /// Returns an argument of the query that must be there.
  public func needed(_ name: String) throws(PageRefusal) -> String {
    guard let value = argument(name), !value.isEmpty else { throw .missing(name) }
    return value
  }

  /// Returns the value of a cookie; nil without it.
  public func cookie(_ name: String) -> String? {
    let pairs = (header("Cookie") ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
    return pairs.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.utf8.count + 1)) }
  }

  /// Refuses requests of other sites. A browser states the origin of each request that changes something.
  ///
  /// - Parameter host: the value of the Host header, in lower case.
  public func checkOrigin(_ host: String) throws(PageRefusal) {
    let origin = header("Origin")?.lowercased()
    if let origin, origin != "http://\(host)", origin != "https://\(host)" { throw .foreignOrigin }
    if origin == nil, method == .post { throw .foreignOrigin }
    if let site = header("Sec-Fetch-Site"), site != "same-origin", site != "none" { throw .foreignOrigin }
    if method == .post, header("Content-Type")?.lowercased().hasPrefix("application/json") != true {
      throw PageRefusal(415, "content-type", "the content must be JSON, with the type application/json")
    }
  }
}
