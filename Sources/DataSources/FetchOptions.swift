/// The options of a fetch, for all sources that it reaches.
public struct FetchOptions: Sendable {
  /// The pages that paginated sources fetch.
  public enum Pages: Sendable {
    case first, all
    /// The page after those that arrived before.
    case next
  }
  public var pages: Pages
  /// The treatment of edits of loaded files.
  public enum Edits: Sendable {
    /// They are kept; the fetch fails if their file has changed.
    case protect
    /// They are kept even if their file has changed.
    case keep
    /// They are discarded, and the file is read again if it has changed.
    case discard
  }
  public var edits: Edits
  /// The maximum number of objects to copy from content that cannot answer a request, such as a
  /// table of a database; nil for no limit.
  public var copyLimit: Int?
  /// The caches of fetched results; nil to keep them with the sources only.
  public var caches: FetchCaches?
  /// Whether the fetch follows a change that a monitor reported.
  package internal(set) var isRefresh = false

  public init(
    pages: Pages = .first, edits: Edits = .protect, copyLimit: Int? = nil,
    caches: FetchCaches? = nil
  ) {
    self.caches = caches
    self.pages = pages
    self.edits = edits
    self.copyLimit = copyLimit
  }

  /// Whether a fetch with other options may leave out pages that these require.
  func exceed(_ other: FetchOptions) -> Bool { pages == .all && other.pages != .all }
}
