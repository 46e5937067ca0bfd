/// An exchange of a cassette that has not responded to any request.
package struct UnusedExchange: Hashable, Sendable {
  /// The line of its request, counted from 1.
  package let line: Int
  /// `GET https://example.test/posts`
  package let request: String

  package init(line: Int, request: String) {
    self.line = line
    self.request = request
  }
}
