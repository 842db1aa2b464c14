/// A self-signed certificate for `localhost`, made for the test.
public struct Certificate {
  public let file: String
  public let key: String

  public init(in folder: TemporaryDirectory, named name: String = "server") throws {
    file = folder.file("\(name).pem")
    key = folder.file("\(name).key")
    let arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=DNS:localhost", "-out", file, "-keyout", key,
    ]
    try Child.run("/usr/bin/openssl", arguments, errors: .nothing)
  }

  public init(file: String, key: String) {
    (self.file, self.key) = (file, key)
  }

  /// Makes a certificate of a client with this common name, which a server with this certificate trusts.
  func client(named name: String, in folder: TemporaryDirectory) throws -> Certificate {
    let (request, own) = (folder.file("\(name).csr"), Certificate(file: folder.file("\(name).pem"), key: folder.file("\(name).key")))
    try Child.run(
      "/usr/bin/openssl",
      [
        "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=\(name)", "-out", request, "-keyout",
        own.key,
      ], errors: .nothing)
    try Child.run(
      "/usr/bin/openssl",
      ["x509", "-req", "-in", request, "-CA", file, "-CAkey", key, "-CAcreateserial", "-days", "2", "-out", own.file], errors: .nothing)
    return own
  }
}
