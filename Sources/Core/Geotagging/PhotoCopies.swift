/// The copies of photos that a run writes, of which none may replace a photo or another copy.
///
/// `Identity` identifies a file, also under another path.
public struct PhotoCopies<Identity: Hashable> {
  /// The file that a copy would replace.
  public enum Collision: Error, Hashable {
    case photo
    /// The copy of another photo of the run.
    case copy
  }

  private let folder: String?
  private let photos: Set<Identity>
  private var copies: Set<Identity> = []

  /// - Parameters:
  ///   - folder: The folder of the copies; nil for copies beside their photos.
  ///   - photos: The files of all photos of the run.
  public init(in folder: String?, of photos: Set<Identity>) {
    (self.folder, self.photos) = (folder, photos)
  }

  /// Returns the path of a copy: in the folder, or beside the photo with "-stamped" before its extension.
  public func path(ofPhoto path: String) -> String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    if let folder { return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)" }
    let pieces = name.split(separator: ".", omittingEmptySubsequences: false)
    // A name that begins with its only dot has no extension.
    guard pieces.count > 1, pieces.dropLast() != [""] else { return path + "-stamped" }
    return "\(path.dropLast((pieces.last?.count ?? 0) + 1))-stamped.\(pieces.last ?? "")"
  }

  /// Throws if the file at the path of a copy must not be replaced, also by force.
  ///
  /// - Parameter present: The file; nil if there is none.
  public func check(_ present: Identity?) throws(Collision) {
    guard let present else { return }
    if photos.contains(present) { throw .photo }
    if copies.contains(present) { throw .copy }
  }

  /// Adds a copy that was written.
  public mutating func note(_ copy: Identity?) {
    if let copy { copies.insert(copy) }
  }
}
