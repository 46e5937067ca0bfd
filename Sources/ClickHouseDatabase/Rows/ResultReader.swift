import DataSources
import DataTables
import Databases

/// Reads the rows of a response as they arrive.
actor ResultReader {
  private let server: Server
  private let text: String
  /// Whether an error of the server can follow the rows.
  private let isStream: Bool
  private var pieces: TransportBody.Iterator
  private var parser: RowParser
  private var isAtEnd = false

  init(_ response: TransportResponse, of text: String, isStream: Bool, server: Server) {
    self.server = server
    self.text = text
    self.isStream = isStream
    pieces = response.body.makeAsyncIterator()
    parser = RowParser(zone: server.facts.zone)
  }

  /// The number of last bytes of a stream that are not parsed before its end: an error of the
  /// server is among them.
  private static let heldBytes = 1 << 14

  /// The next rows; with fewer than `limit` at the end.
  func next(_ limit: Int) async throws -> RowSet {
    var rows: [[Value]] = []
    rows.reserveCapacity(min(limit, 1 << 16))
    do {
      while true {
        try parser.parse(
          into: &rows, limit: limit, holding: isStream && !isAtEnd ? Self.heldBytes : 0)
        if rows.count >= limit { break }
        if isAtEnd {
          try parser.finish()
          break
        }
        // A local copy, because a property cannot be used across a suspension.
        var pieces = pieces
        let piece = try await pieces.next()
        self.pieces = pieces
        if let piece {
          parser.append(piece)
        } else {
          isAtEnd = true
          if isStream { try checkTail() }
        }
      }
    } catch let fault as RowParser.Fault {
      throw try await error(fault)
    }
    return RowSet(columns: parser.columns ?? [], rows: rows)
  }

  /// - Throws: the error of the server that ended the stream.
  private func checkTail() throws {
    if let exception = StreamTail(parser.rest, columns: parser.columns?.count).exception {
      throw server.error(exception, text)
    }
  }

  /// The error for a result that cannot be parsed; if the server sent an error within it, that one.
  private func error(_ fault: RowParser.Fault) async throws -> DatabaseError {
    var bytes = Array(parser.rest.prefix(Server.maxMessage))
    var pieces = pieces
    while bytes.count < Server.maxMessage, let piece = try await pieces.next() {
      bytes += piece
    }
    self.pieces = pieces
    if isStream, let exception = ServerException(in: String(decoding: bytes, as: UTF8.self)) {
      return server.error(exception, text)
    }
    return DatabaseError(.engine, fault.message, statement: text)
  }
}

extension RowParser.Fault {
  var message: String {
    switch self {
    case .columns: "the server returned rows in another format"
    case .cells(let row, let count, let columns):
      "row \(row) of the result has \(count) cells, and the result has \(columns) columns"
    case .cell(let row, let column, let type, let text):
      "row \(row) of the result has `\(text)` in the column `\(column)` of type \(type)"
    case .unfinished: "the result ends within a row"
    }
  }
}
