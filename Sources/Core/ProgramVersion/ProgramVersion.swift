/// The version of all programs.
public enum ProgramVersion {
  public static let current = "0.1.0"
}
