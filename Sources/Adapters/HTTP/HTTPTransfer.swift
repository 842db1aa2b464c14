internal import CCurl
import Glibc
import Instants

/// One POST under way. Its libcurl handle lives as long as this.
final class HTTPTransfer {
  let easy: UnsafeMutableRawPointer
  let completion: (HTTPAnswer) -> Void
  private let library: CurlLibrary
  private let headers: UnsafeMutablePointer<curl_slist>?
  /// libcurl writes the reason of a failure here while the transfer lasts.
  private let reason: UnsafeMutablePointer<CChar>

  /// Returns nil if there is no memory for it.
  init?(_ library: CurlLibrary, _ request: HTTPRequest, completion: @escaping (HTTPAnswer) -> Void) {
    guard let easy = library.functions.easy_init() else { return nil }
    self.easy = easy
    self.completion = completion
    self.library = library
    headers = request.headers.reduce(nil) { library.functions.slist_append($0, "\($1.name): \($1.value)") }
    reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
    reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    setUp(request)
  }

  deinit {
    library.functions.easy_cleanup(easy)
    library.functions.slist_free_all(headers)
    reason.deallocate()
  }

  /// Returns the result, once libcurl has finished with `code`.
  func answer(_ code: CURLcode) -> HTTPAnswer {
    guard code == CURLE_OK else {
      let detail = String(cString: reason)
      return .failure(detail.isEmpty ? library.text(of: code) : detail)
    }
    let seconds = curl_library_retry_after(library.functions, easy)
    return .status(curl_library_status(library.functions, easy), retryAfter: seconds > 0 ? .seconds(Double(seconds)) : nil)
  }

  private func setUp(_ request: HTTPRequest) {
    set(CURLOPT_URL, request.url)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_COPYPOSTFIELDS, request.body)
    set(CURLOPT_USERAGENT, "beaconmon")
    set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(headers))
    set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(reason))
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_TIMEOUT_MS, Int(request.timeout.microseconds / 1000))
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    if let file = request.certificates {
      set(CURLOPT_CAINFO, file)
    } else {
      // The folder in place of the one large file: only the certificates that are asked for come into memory.
      set(CURLOPT_CAINFO, UnsafeMutableRawPointer?.none)
      set(CURLOPT_CAPATH, "/etc/ssl/certs")
    }
    // No target needs the body of an answer.
    _ = curl_library_set_writer(library.functions, easy) { _, size, count, _ in size * count }
  }

  private func set(_ option: CURLoption, _ value: String) {
    _ = curl_library_set_text(library.functions, easy, option, value)
  }

  private func set(_ option: CURLoption, _ value: Int) {
    _ = curl_library_set_number(library.functions, easy, option, value)
  }

  private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    _ = curl_library_set_pointer(library.functions, easy, option, value)
  }
}
