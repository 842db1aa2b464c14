/// The list of all files that the programs store.
public enum StoredFiles {
  public static let all: [any StoredFile] = [
    JournalStoredFile(), OutboxStoredFile(), ConsentStoredFile(), ConfigurationStoredFile(), DropInStoredFile(), VenueStoredFile(),
    SavedVenueStoredFile(), LearnedStoredFile(), OfferStoredFile(), AddressStoredFile(), SensorRecordingStoredFile(), VisitStoredFile(),
    SurveyStoredFile(), SurveyReportStoredFile(),
  ]
}
