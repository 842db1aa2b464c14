internal import CCurl

/// libcurl, loaded on demand: a program that sends no requests does not carry its 8 MB.
struct CurlLibrary {
  let functions: curl_library

  init() throws(MissingLibrary) {
    var functions = curl_library()
    if let problem = curl_library_load(&functions) { throw MissingLibrary(problem, package: "libcurl4") }
    self.functions = functions
  }

  func text(of code: CURLcode) -> String { functions.easy_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)" }
}

/// A library that is not installed, or not in the required version.
public struct MissingLibrary: Error, CustomStringConvertible {
  /// The loader's message, and the Debian package to install.
  public let description: String

  public init(_ problem: UnsafePointer<CChar>, package: String) {
    description = "\(String(cString: problem)); install the Debian package \(package)"
  }
}
