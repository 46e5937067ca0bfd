/// The event from which a source has a content. The raw value is the verb of the language.
public enum ContentCause: String, Sendable {
  /// The content was given when the source was created: an array, a file, a table or a statement.
  case simple, load, open, query
  case fetch, fetchNextPage
  /// A fetch after a change of the settings of the source.
  case set
  /// A change by another program, while the source is watched.
  case watch
  case insert, remove, update, move
  /// A transaction with edits of several kinds.
  case edit
  case undo, redo
  /// A source below shows an earlier content again.
  case back
}

extension ContentCause {
  /// - Parameter isEdit: whether the round has another purpose than a fetch of its options.
  init(_ options: FetchOptions, isEdit: Bool) {
    self =
      if options.isRefresh {
        .watch
      } else if isEdit {
        .edit
      } else {
        options.pages == .next ? .fetchNextPage : .fetch
      }
  }
}

extension EditCounts {
  /// The only kind of the edits, or ``ContentCause/edit``.
  var cause: ContentCause {
    let kinds: [(ContentCause, Int)] = [
      (.insert, inserted + insertedSections), (.remove, removed + removedSections),
      (.update, updated), (.move, moved + movedSections),
    ]
    let made = kinds.filter { $0.1 > 0 }.map(\.0)
    return made.count == 1 ? made[0] : .edit
  }
}
