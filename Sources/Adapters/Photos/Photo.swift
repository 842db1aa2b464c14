internal import CGExiv2
import EventLoop
import Geotagging
import Glibc

/// A photo whose tags are changed in memory, and that is written as a whole.
public final class Photo {
  /// Exiv2 holds a photo in memory twice.
  static let mostOctets = 512 << 20

  private let library: ExifLibrary
  /// The octets, in a file of memory: gexiv2 changes files by their path, and a failed write would damage the photo.
  private let content: FileDescriptor
  private let metadata: OpaquePointer
  /// The identity of the file when it was read.
  private let original: stat
  private let path: String
  private var changed: Set<String> = []
  private let before: [String: String]

  /// Reads a photo.
  ///
  /// - Throws: for a file that is not a photo, and for one with damaged tags: writing would lose some of them.
  public init(path: String, _ library: ExifLibrary) throws(PhotoError) {
    (self.library, self.path) = (library, path)
    var status = stat()
    content = try Self.read(path, &status)
    original = status
    let name = Self.path(of: content)
    metadata = try Self.open(name, library)
    before = Self.values(of: metadata, library)
  }

  deinit {
    library.functions.object_unref(UnsafeMutableRawPointer(metadata))
  }

  /// Returns the text of a tag in the notation of Exiv2; nil if the photo does not have it.
  public func text(of tag: String) -> String? {
    // Asked for a tag that is absent, some versions return the value of another one.
    guard library.functions.metadata_try_has_tag(metadata, tag, nil) != 0 else { return nil }
    return Self.text(of: tag, in: metadata, library)
  }

  /// Sets and removes tags in memory.
  public func set(_ tags: [PhotoTag]) throws(PhotoError) {
    for tag in tags {
      let problem = library.message { error in
        guard let value = tag.value else { return library.functions.metadata_try_clear_tag(metadata, tag.key, error) >= 0 }
        return library.functions.metadata_try_set_tag_string(metadata, tag.key, value, error) != 0
      }
      if let problem { throw PhotoError(.invalid, "\(tag.key) cannot be set: \(problem)") }
      changed.insert(tag.key)
    }
  }

  /// Writes the photo with its new tags to a path: the file is complete or not there at all.
  /// The path may be that of the photo.
  ///
  /// - Parameter replaces: whether a file at the path is replaced.
  /// - Throws: before anything is written, if another tag would change.
  public func write(to path: String, replaces: Bool) throws(PhotoError) {
    let name = Self.path(of: content)
    let (problem, _) = library.collectingErrors {
      library.message { library.functions.metadata_save_file(metadata, name, $0) != 0 }
    }
    if let problem {
      throw PhotoError(.invalid, "its tags cannot be written: \(Self.reason(problem, name)); convert the photo to JPEG, PNG, WebP or TIFF")
    }
    try verify(name)
    // A link to a photo stays a link.
    let target = replaces ? Self.resolved(path) : path
    // The path decides: another program's file at the path of the photo is not the one that was read.
    let isItself = replaces && target == Self.resolved(self.path)
    let mask = Self.holdSignals()
    defer { Self.restoreSignals(mask) }
    let new: NewFile
    do throws(SystemCallError) { new = try newFile(target) } catch { throw .unwritable(target, error.code) }
    guard !isItself || Self.isSame(target, original) else {
      throw PhotoError(.unwritable, "another program has changed the photo meanwhile; it is left as it is")
    }
    do throws(SystemCallError) { try new.install(replaces: replaces) } catch {
      guard error.code == EEXIST else { throw .unwritable(target, error.code) }
      throw PhotoError(.unwritable, "\(target) already exists; --force replaces it")
    }
  }

  /// Reads the result and compares its tags with those before.
  private func verify(_ name: String) throws(PhotoError) {
    let result = try Self.open(name, library)
    defer { library.functions.object_unref(UnsafeMutableRawPointer(result)) }
    let after = Self.values(of: result, library)
    for (key, value) in before where !changed.contains(key) && after[key] != value {
      throw PhotoError(.invalid, "the tag \(key) would change; the photo is unchanged")
    }
  }
}

// MARK: - The new file

extension Photo {
  /// Writes the octets to a new file, with the mode, the owner and the extended attributes of the photo.
  private func newFile(_ path: String) throws(SystemCallError) -> NewFile {
    try NewFile(of: path, mode: 0o600) { file throws(SystemCallError) in
      guard lseek(content.number, 0, SEEK_SET) == 0 else { throw .last("lseek") }
      try Self.copy(content, to: file)
      // A user other than root cannot give a file away; then it is the user's.
      _ = fchown(file.number, original.st_uid, original.st_gid)
      copyAttributes(to: file)
      // A memory card has no permissions.
      guard fchmod(file.number, original.st_mode & 0o777) == 0 || errno == EPERM || errno == EOPNOTSUPP else { throw .last("fchmod") }
    }
  }

  /// Copies the extended attributes of users, such as the tags of file managers. A file system that has none is not an error.
  private func copyAttributes(to file: borrowing FileDescriptor) {
    var names = [CChar](repeating: 0, count: 1 << 16)
    let length = listxattr(path, &names, names.count)
    guard length > 0 else { return }
    for name in names[..<length].split(separator: 0) {
      let name = String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard name.hasPrefix("user.") else { continue }
      var value = [UInt8](repeating: 0, count: 1 << 16)
      let count = getxattr(path, name, &value, value.count)
      if count >= 0 { _ = fsetxattr(file.number, name, value, count, 0) }
    }
  }

  /// Copies the rest of a file to another one.
  private static func copy(_ source: borrowing FileDescriptor, to target: borrowing FileDescriptor) throws(SystemCallError) {
    var chunk = [UInt8](repeating: 0, count: 1 << 17)
    while true {
      let count = Glibc.read(source.number, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last("read") }
      guard count > 0 else { return }
      try FileDescriptor.write(chunk[..<count], to: target.number)
    }
  }

  /// Delays the signals that end the program, which would leave the new file until the photo is written again.
  ///
  /// Returns the mask of signals before.
  private static func holdSignals() -> sigset_t {
    var (all, mask) = (sigset_t(), sigset_t())
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&all, number) }
    pthread_sigmask(SIG_BLOCK, &all, &mask)
    return mask
  }

  private static func restoreSignals(_ mask: sigset_t) {
    var mask = mask
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }
}

// MARK: - Reading

extension Photo {
  private static func read(_ path: String, _ status: inout stat) throws(PhotoError) -> FileDescriptor {
    // A FIFO must not hold the other photos up.
    let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw .unreadable(errno) }
    let file = FileDescriptor(owning: number)
    guard fstat(file.number, &status) == 0 else { throw .unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw PhotoError(.unreadable, "is not a file; name photos one by one, such as *.jpg") }
    guard status.st_size <= mostOctets else {
      throw PhotoError(.invalid, "has more than \(mostOctets >> 20) MiB, which is too large for a photo")
    }
    let memory = memfd_create("photo", UInt32(BEACONMON_MFD_CLOEXEC))
    guard memory >= 0 else { throw .unreadable(errno) }
    let content = FileDescriptor(owning: memory)
    do throws(SystemCallError) { try copy(file, to: content) } catch { throw .unreadable(error.code) }
    return content
  }

  private static func path(of content: borrowing FileDescriptor) -> String { "/proc/self/fd/\(content.number)" }

  private static func open(_ name: String, _ library: ExifLibrary) throws(PhotoError) -> OpaquePointer {
    guard let metadata = library.functions.metadata_new() else { throw PhotoError(.unavailable, "libgexiv2 does not work") }
    let (problem, errors) = library.collectingErrors {
      library.message { library.functions.metadata_open_path(metadata, name, $0) != 0 }
    }
    guard let reason = problem ?? errors.first else { return metadata }
    library.functions.object_unref(UnsafeMutableRawPointer(metadata))
    // Exiv2 does not recognise the kind of the file.
    if reason.contains("unknown image type") || reason.contains("Failed to read input data") {
      throw PhotoError(.invalid, "is not a photo of a known kind; JPEG, PNG, WebP and TIFF are")
    }
    throw PhotoError(
      .invalid, "the photo or its EXIF block is damaged: \(Self.reason(reason, name)); repair it first, for example with exiftool")
  }

  /// Returns a message of the library without the name of the file in memory and without a line end.
  private static func reason(_ message: String, _ name: String) -> String {
    let text = message.split(whereSeparator: \.isNewline).first.map(String.init) ?? message
    let reason = text.hasPrefix("\(name): ") ? text.dropFirst(name.count + 2) : text[...]
    return String(reason.hasSuffix(".") ? reason.dropLast() : reason)
  }

  private static func text(of tag: String, in metadata: OpaquePointer, _ library: ExifLibrary) -> String? {
    var error: UnsafeMutablePointer<gexiv2_error>?
    let text = library.functions.metadata_try_get_tag_string(metadata, tag, &error)
    if let error { library.functions.error_free(error) }
    guard let text else { return nil }
    defer { library.functions.free(text) }
    return String(cString: text)
  }

  /// Returns all tags with their texts.
  /// Those that hold or contain offsets in the file have none, because offsets change with the length of the block.
  private static func values(of metadata: OpaquePointer, _ library: ExifLibrary) -> [String: String] {
    let functions = library.functions
    var values: [String: String] = [:]
    for list in [functions.metadata_get_exif_tags, functions.metadata_get_xmp_tags, functions.metadata_get_iptc_tags] {
      guard let keys = list?(metadata) else { continue }
      defer { functions.strfreev(keys) }
      var next = keys
      while let key = next.pointee {
        let name = String(cString: key)
        let type = functions.metadata_try_get_tag_type(key, nil).map { String(cString: $0) }
        let isComparable = !name.hasPrefix("Exif.") || type == "Ascii" || type == "Rational" || type == "Short"
        values[name] = isComparable ? text(of: name, in: metadata, library) ?? "" : ""
        next += 1
      }
    }
    return values
  }

  private static func isSame(_ path: String, _ original: stat) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_dev == original.st_dev && status.st_ino == original.st_ino && status.st_size == original.st_size
      && status.st_mtim.tv_sec == original.st_mtim.tv_sec && status.st_mtim.tv_nsec == original.st_mtim.tv_nsec
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
