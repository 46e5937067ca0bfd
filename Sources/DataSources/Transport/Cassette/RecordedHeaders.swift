/// The headers that are kept of exchanges. All others are left out: they differ from run to run, or
/// hold what is nobody's business.
enum RecordedHeaders {
  /// Those on which the answer depends; names in small letters.
  static let ofRequests: Set<String> = [
    "accept", "accept-language", "range",
  ]

  /// Those that ask only for something newer than what the asker has: they depend on what was
  /// fetched before, and an answer to them is none to anybody else. Names in small letters.
  static let conditions: Set<String> = ["if-modified-since", "if-none-match"]

  /// Those that say what the answer is and where more is; names in small letters. The length is not
  /// among them: what is kept may be shorter, without secrets, or longer, without compression.
  static let ofAnswers: Set<String> = [
    "content-disposition", "content-language", "content-range", "content-type", "etag",
    "last-modified", "link", "location", "retry-after", "x-next-page", "x-page", "x-per-page",
    "x-prev-page", "x-total", "x-total-count", "x-total-pages",
  ]
}
