/// The reason why a target has no code for a chain.
package struct CodeRefusal: Error, Sendable {
  /// A clause: `NSFetchedResultsController has no groups by count`.
  package var reason: String
  /// A target that can do it; nil without one.
  package var alternative: String?

  /// A clause with what else helps: `fetch it first`; nil without it.
  package var fix: String?

  package init(_ reason: String, fix: String? = nil, use alternative: String?) {
    self.reason = reason
    self.fix = fix
    self.alternative = alternative
  }
}
