public import DataTables

extension DataSource {
  /// The last contents of fetches and edits, oldest first; empty before the first one.
  ///
  /// At most 10 are kept, and fewer of many millions of objects. Contents that are read from a database
  /// are kept only while they are the last two.
  public var keptContents: [KeptContent] { state.contents.contents }

  /// The number of the content that the source shows; nil before the first one, and while an open
  /// transaction shows its own content.
  public var contentNumber: Int? {
    state.contents.latest == nil || state.showsTransaction ? nil : state.contents.shown
  }

  /// Whether the source shows a content from before its last fetch or edit.
  public var showsEarlierContent: Bool { state.showsEarlierContent }

  /// Shows a kept content until the next fetch or edit. No data changes.
  ///
  /// The source and its wrappers that were fetched before and follow their children report `will`,
  /// `changes` and `finished`. While an earlier content is shown, edits through the source are
  /// ``SourceError/earlierContent(_:current:)``: their index paths would be those of other objects.
  /// - Parameter number: of one of the ``keptContents``.
  /// - Throws: ``SourceError``: `notFetched` without a content, `outOfRange` for a content that is not
  ///   kept, `changed` for one that a database no longer has, `conflict` while the source is being
  ///   fetched.
  public func showContent(
    _ number: Int, cancellation: Cancellation = Cancellation(),
    listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws(SourceError) {
    let content = try keptContent(number)
    if isFetching { throw .fetchUnderWay }
    if number == contentNumber { return }
    do {
      try cancellation.check()
      try await content.snapshot.checkReadable()
    } catch {
      throw SourceError(error)
    }
    let round = FetchRound(from: self, isEdit: true, cause: .back, listener: listener)
    round.shownAgain = number
    await round.show([(self, content.snapshot)], cancellation: cancellation)
  }

  /// - Throws: ``SourceError``: `notFetched` without a content, `outOfRange` for one that is not kept.
  public func keptContent(_ number: Int) throws(SourceError) -> KeptContent {
    if let content = state.contents[number] { return content }
    let kept = keptContents.map(\.number)
    throw kept.isEmpty ? .notFetched : .contentOutOfRange(number, kept: kept)
  }

  /// - Throws: ``SourceError``, `conflict` if the index paths are those of an earlier content.
  func checkShowsLatestContent() throws(SourceError) {
    guard showsEarlierContent, let latest = state.contents.latest else { return }
    throw .earlierContent(state.contents.shown, current: latest.number)
  }
}

extension Snapshot {
  /// Reads an object of content that is not in memory, because its data may have changed.
  fileprivate func checkReadable() async throws {
    guard store.local == nil, numberOfObjects > 0, let path = store.indexPath(ofPosition: 0)
    else { return }
    _ = try await object(at: path)
  }
}
