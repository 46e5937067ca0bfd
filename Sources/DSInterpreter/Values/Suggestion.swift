import DataTables

/// Finds the name that the user probably meant, for modules that do not use tables.
package enum Suggestion {
  /// As ``NearNames/nearest(to:among:)``.
  package static func nearest(to word: String, among names: some Sequence<String>) -> String? {
    NearNames.nearest(to: word, among: names)
  }
}
