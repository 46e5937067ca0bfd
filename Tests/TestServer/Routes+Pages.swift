import FlyingFox
import Foundation

extension Routes {
  /// A list of `total` records (5) such as `{"id": 1, "name": "item 1", "date": "2012-07-29"}`, in
  /// pages.
  ///
  /// - `/pages?page=N&page_size=M&total=T`: from page 1; `{"page", "page_size", "number_of_pages",
  ///   "total_count", "items"}`. `bare=1` returns the array alone: pages after the last one are
  ///   empty.
  /// - `/offset?offset=N&limit=M&total=T`: `{"total_count", "items"}`.
  /// - `/cursor?cursor=C&limit=M&total=T`: `{"items", "next"}`; `next` is null at the end.
  /// - `/link?page=N&page_size=M&total=T`: the array alone, the next page in the header `Link`.
  /// - `/broken?page=N&fail=P&times=K`: as `/pages`, but the first K requests (1) of page P (2)
  ///   fail with 500.
  static func pages(_ counts: Counts) -> [String: Route] {
    [
      "/pages": { request in .json(page(request)) },
      "/offset": { request in
        let offset = max(0, request.number("offset", else: 0))
        let items = records(request, from: offset, count: request.number("limit", else: 2))
        return .json(#"{"total_count": \#(total(request)), "items": \#(items)}"#)
      },
      "/cursor": { request in .json(cursor(request)) },
      "/link": { request in linked(request) },
      "/broken": { request in
        let isBroken = request.number("page", else: 1) == request.number("fail", else: 2)
        guard isBroken, counts.next(request) <= request.number("times", else: 1) else {
          return .json(page(request))
        }
        return .text("no page today\n", status: status(500))
      },
    ]
  }

  private static func total(_ request: ReceivedRequest) -> Int { request.number("total", else: 5) }

  private static func size(_ request: ReceivedRequest) -> Int {
    max(1, request.number("page_size", else: 2))
  }

  /// The first record of the requested page, from 0.
  private static func start(_ request: ReceivedRequest) -> Int {
    max(0, request.number("page", else: 1) - 1) * size(request)
  }

  private static func page(_ request: ReceivedRequest) -> String {
    let size = size(request)
    let items = records(request, from: start(request), count: size)
    guard request["bare"] == nil else { return items }
    let pages = (total(request) + size - 1) / size
    return """
      {"page": \(request.number("page", else: 1)), "page_size": \(size), \
      "number_of_pages": \(pages), "total_count": \(total(request)), "items": \(items)}
      """
  }

  private static func cursor(_ request: ReceivedRequest) -> String {
    let start = (request["cursor"]?.dropFirst()).flatMap { Int($0) } ?? 0
    let count = request.number("limit", else: 2)
    let end = start + count
    let next = end < total(request) ? "\"c\(end)\"" : "null"
    return #"{"items": \#(records(request, from: start, count: count)), "next": \#(next)}"#
  }

  private static func linked(_ request: ReceivedRequest) -> HTTPResponse {
    let size = size(request)
    let page = request.number("page", else: 1)
    let items = records(request, from: start(request), count: size)
    guard page * size < total(request) else { return .json(items) }
    let next = "/link?page=\(page + 1)&page_size=\(size)&total=\(total(request))"
    let link = #"</link?page=1>; rel="first", <\#(next)>; rel="next""#
    return .json(items, headers: [HTTPHeader("Link"): link])
  }

  private static func records(_ request: ReceivedRequest, from start: Int, count: Int) -> String {
    let end = min(total(request), start + max(0, count))
    guard start < end else { return "[]" }
    let records = (start..<end).map { index in
      // From the end of July on, so that a month continues on the next page.
      let date = index < 3 ? "2012-07-\(29 + index)" : "2012-08-01"
      return #"{"id": \#(index + 1), "name": "item \#(index + 1)", "date": "\#(date)"}"#
    }
    return "[" + records.joined(separator: ", ") + "]"
  }
}
