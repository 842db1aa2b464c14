/// Every file that the programs store. A new one joins here.
public enum StoredFiles {
  public static let all: [any StoredFile] = [JournalStoredFile(), OutboxStoredFile(), ConsentStoredFile(), ConfigurationStoredFile()]
}
