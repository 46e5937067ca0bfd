/// Sizes from which stores read in another way. Tests lower them to read small tables as large ones.
package enum StoreLimits {
  /// The number of rows between two anchors of deep pages.
  @TaskLocal package static var anchorDistance = 100_000
  /// The maximum number of sections whose titles are kept in memory.
  @TaskLocal package static var maxTitles = 1_000_000
  /// The number of titles of a page.
  @TaskLocal package static var titlesOfPage = 1_000
  /// The maximum number of values of a key that one statement lists.
  static let maxListed = 500
  /// The number of rows of a batch of titles and counts.
  static let rowsOfBatch = 10_000
  /// The maximum number of rows that are kept before they are needed.
  static let maxPrefetched = 100_000
}
