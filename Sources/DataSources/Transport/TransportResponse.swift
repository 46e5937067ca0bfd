import DataTables

/// The response to a request.
public struct TransportResponse: Sendable {
  /// The HTTP status; 200 for a file.
  public let status: Int
  /// In the order in which they were received.
  public let headers: [HeaderField]
  /// The URL of the response, after all redirections.
  public let url: String
  /// The redirections that were followed, in order.
  public let redirections: [Redirection]
  public let body: TransportBody

  public init(
    status: Int, headers: [HeaderField], url: String, redirections: [Redirection] = [],
    body: TransportBody
  ) {
    self.status = status
    self.headers = headers
    self.url = url
    self.redirections = redirections
    self.body = body
  }

  /// The value of the first header of this name, compared without case.
  public subscript(header name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// A response that led to another URL.
public struct Redirection: Hashable, Sendable {
  public let status: Int
  /// Where it led to, without secrets.
  public let url: String

  public init(status: Int, to url: String) {
    self.status = status
    self.url = url
  }
}

/// A header of a response.
public struct HeaderField: Hashable, Sendable {
  public let name: String
  public let value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The decompressed bytes of a response, in pieces as they are received. They can be read only
/// once.
public struct TransportBody: AsyncSequence, Sendable {
  public typealias Element = [UInt8]
  private let pieces: AsyncThrowingStream<[UInt8], any Error>

  /// - Parameter next: returns the next piece, nil at the end.
  public init(_ next: @escaping @Sendable () async throws -> [UInt8]?) {
    pieces = AsyncThrowingStream(unfolding: next)
  }

  /// - Parameter build: yields all pieces, immediately or as they are received; they are buffered.
  public init(_ build: (AsyncThrowingStream<[UInt8], any Error>.Continuation) -> Void) {
    pieces = AsyncThrowingStream { build($0) }
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(pieces: pieces.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var pieces: AsyncThrowingStream<[UInt8], any Error>.Iterator

    /// - Throws: ``TransportError``; ``TransportError/cancelled`` if the task is canceled.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws -> [UInt8]? {
      if let piece = try await pieces.next(isolation: isolation) { return piece }
      // The stream of a canceled task ends without an error: a partial body would look complete.
      if Task.isCancelled { throw TransportError.cancelled }
      return nil
    }
  }
}

extension TransportResponse {
  /// The seconds in the `Retry-After` header; nil without a valid one.
  /// - Parameter today: the local date, in seconds since 1970; used if the response has no `Date`
  ///   header.
  func retryAfter(on today: @autoclosure () -> Int) -> Double? {
    guard let text = self[header: "Retry-After"] else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // A number too large for an integer is a very long time, which the caller limits.
      return Double(text)
    }
    guard let date = HTTPDate.seconds(text) else { return nil }
    // Use the server's clock, which may differ from the local one.
    let now = self[header: "Date"].flatMap(HTTPDate.seconds) ?? today()
    return Double(max(0, date - now))
  }
}

/// Dates as HTTP/1.1 writes them: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970; nil for another format, including the obsolete ones.
  static func seconds(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])),
      let day = number(words[1], 1...31), let year = number(words[3], 1970...9999)
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = number(clock[0], 0...23),
      let minute = number(clock[1], 0...59), let second = number(clock[2], 0...60)
    else { return nil }
    let days = Gregorian.days(fromYear: year, month: month + 1, day: day)
    return ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }
}
