public import HTTPMessages
public import Records
public import WebAccess

/// A path below /api with the function that answers its requests.
public struct PageRoute {
  public typealias Answer = (Result<HTTPServerResponse, PageRefusal>) -> Void

  let path: String
  /// Whether the request changes something, and so is a POST with a form token.
  let isChange: Bool
  let role: WebRole
  let answer: (HTTPServerRequest, @escaping Answer) throws(PageRefusal) -> Void

  /// - Parameters:
  ///   - path: such as `/api/plans`.
  ///   - role: the role that the request needs.
  ///   - answer: reads the request at once, and completes now or later.
  public init(
    _ path: String, isChange: Bool = false, role: WebRole = .view,
    _ answer: @escaping (HTTPServerRequest, @escaping Answer) throws(PageRefusal) -> Void
  ) {
    (self.path, self.isChange, self.role, self.answer) = (path, isChange, role, answer)
  }
}

extension HTTPServerResponse {
  /// A response with a JSON object.
  public static func json(_ record: Record) -> HTTPServerResponse { HTTPServerResponse(contentType: "application/json", record.json) }
}

extension Result where Failure == PageRefusal {
  /// Returns the response for a value.
  func response(_ body: (Success) -> Record) -> Result<HTTPServerResponse, PageRefusal> { map { .json(body($0)) } }
}
