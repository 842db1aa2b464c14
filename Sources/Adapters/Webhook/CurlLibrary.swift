internal import CCurl

/// libcurl, found when it is first needed: a program that sends no webhooks does not carry its 8 MB.
struct CurlLibrary {
  let functions: curl_library

  init() throws(MissingLibrary) {
    var functions = curl_library()
    if let problem = curl_library_load(&functions) { throw MissingLibrary(problem, package: "libcurl4") }
    self.functions = functions
  }

  func text(of code: CURLcode) -> String { functions.easy_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)" }
}

/// A library that this machine does not have, or not in the version that is needed.
struct MissingLibrary: Error, CustomStringConvertible {
  let description: String

  init(_ problem: UnsafePointer<CChar>, package: String) {
    description = "\(String(cString: problem)); install the Debian package \(package)"
  }
}
