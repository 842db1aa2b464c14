internal import CCurl
import Glibc
import Instants

/// One request under way. Its libcurl handle lives as long as this.
final class HTTPTransfer {
  let easy: UnsafeMutableRawPointer
  let completion: (HTTPAnswer, [UInt8]) -> Void
  /// The body of the answer so far.
  private(set) var body: [UInt8] = []
  /// The maximum number of octets of the body; nil if it is skipped.
  private let most: Int?
  private var isTooLong = false
  private let library: CurlLibrary
  private let headers: UnsafeMutablePointer<curl_slist>?
  /// The buffer to which libcurl writes the reason of a failure while the transfer lasts.
  private let reason: UnsafeMutablePointer<CChar>

  /// Returns nil if there is no memory for it.
  init?(
    _ library: CurlLibrary, _ request: HTTPRequest, atMost octets: Int?, completion: @escaping (HTTPAnswer, [UInt8]) -> Void
  ) {
    most = octets
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
    if isTooLong, let most { return .failure("the answer is longer than \(most) octets") }
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
    if let body = request.body { set(CURLOPT_COPYPOSTFIELDS, body) }
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
    // The transfer outlives its handle, which ends with it.
    set(CURLOPT_WRITEDATA, Unmanaged.passUnretained(self).toOpaque())
    _ = curl_library_set_writer(library.functions, easy) { octets, size, count, context in
      guard let octets, let context else { return 0 }
      let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
      return transfer.take(UnsafeRawBufferPointer(start: octets, count: size * count)) ? size * count : 0
    }
  }

  /// Takes octets of the body, and returns whether the transfer goes on.
  private func take(_ octets: UnsafeRawBufferPointer) -> Bool {
    guard let most else { return true }
    isTooLong = body.count + octets.count > most
    if !isTooLong { body += octets }
    return !isTooLong
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
