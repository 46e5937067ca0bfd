/// What a fetch is to bring of the paginated sources that it reaches.
enum PageDemand {
  case firstPage, nextPage, allPages

  /// Whether what a fetch brings that is under way is not all that is wanted.
  func isMore(than other: PageDemand) -> Bool { self == .allPages && other != .allPages }
}
