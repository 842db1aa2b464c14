import DBus
import Events

extension RemoteJournal {
  /// Searches the journal in use.
  ///
  /// - Parameters:
  ///   - begin: creates the search, from the names of the journals and the sequence of the last event.
  ///   - completion: takes the search at its end.
  public func search<Search: JournalSearch>(
    _ begin: @escaping (Names) -> Search, _ completion: @escaping (Result<Search, DBusError>) -> Void
  ) {
    names { answer in
      switch answer {
      case .success(let names): advance(begin(names), in: names.current, completion)
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  private func advance<Search: JournalSearch>(
    _ search: Search, in journal: String, _ completion: @escaping (Result<Search, DBusError>) -> Void
  ) {
    guard let page = search.nextPage else { return completion(.success(search)) }
    events(after: EventPlace(journal: journal, sequence: page.after), limit: page.limit) { answer in
      switch answer {
      case .success(let events): advance(search.taking(events), in: journal, completion)
      case .failure(let error): completion(.failure(error))
      }
    }
  }
}
