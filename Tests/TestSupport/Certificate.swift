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
}
