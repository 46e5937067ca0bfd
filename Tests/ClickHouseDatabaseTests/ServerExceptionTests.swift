import DataSources
import Databases
import Testing

@testable import ClickHouseDatabase

@Suite struct ServerExceptionTests {
  @Test(arguments: [
    (
      "Code: 60, e.displayText() = DB::Exception: Table default.nope doesn't exist., e.what() = DB::Exception",
      DatabaseError.Kind.unknownTable("nope"), "table default.nope doesn't exist"
    ),
    (
      "Code: 60. DB::Exception: Unknown table expression identifier 'nope'. Maybe you meant system.one? In scope SELECT * FROM nope. (UNKNOWN_TABLE) (version 24.8.4.13 (official build))",
      .unknownTable("nope"),
      "unknown table expression identifier 'nope'. Maybe you meant system.one? In scope SELECT * FROM nope"
    ),
    (
      "Code: 47. DB::Exception: Unknown expression identifier `nope`. In scope SELECT nope FROM t. (UNKNOWN_IDENTIFIER)",
      .unknownColumn("nope"), "unknown expression identifier `nope`. In scope SELECT nope FROM t"
    ),
    (
      "Code: 47, e.displayText() = DB::Exception: Unknown identifier: a.b, e.what() = DB::Exception",
      .unknownColumn("a.b"), "unknown identifier: a.b"
    ),
    (
      "Code: 16, e.displayText() = DB::Exception: No such column nope in table l, e.what() = DB::Exception",
      .unknownColumn("nope"), "no such column nope in table l"
    ),
    (
      "Code: 81. DB::Exception: Database nodb does not exist. (UNKNOWN_DATABASE)",
      .unknownDatabase("nodb"), "database nodb does not exist"
    ),
    (
      "Code: 57, e.displayText() = DB::Exception: Table w.l already exists., e.what() = DB::Exception",
      .exists("w.l"), "table w.l already exists"
    ),
    (
      "Code: 159, e.displayText() = DB::Exception: Timeout exceeded: elapsed 3.0 seconds, maximum: 1, e.what() = DB::Exception",
      .timeout, "timeout exceeded: elapsed 3.0 seconds, maximum: 1"
    ),
    (
      "Code: 279, e.displayText() = DB::NetException: All connection tries failed. Log: \n\nCode: 210, e.displayText() = DB::NetException: Connection refused (127.0.0.1:15437), e.what() = DB::NetException\nCode: 210, e.displayText() = DB::NetException: Connection refused (127.0.0.1:15437), e.what() = DB::NetException\n\n, e.what() = DB::NetException",
      .connection, "the shard 127.0.0.1:15437 does not answer: connection refused"
    ),
    (
      "Code: 279, e.displayText() = DB::NetException: All connection tries failed. Log: \n\nThere \("is") no table w.l2 on server: 127.0.0.1:15437\n\n, e.what() = DB::NetException",
      .engine, "the shard 127.0.0.1:15437 has no table w.l2"
    ),
    (
      "Code: 32, e.displayText() = DB::Exception: Attempt to read after eof: while receiving packet from 127.0.0.1:15437, e.what() = DB::Exception",
      .connection, "the shard 127.0.0.1:15437 does not answer: eof"
    ),
    (
      "Poco::Exception. Code: 1000, e.code() = 104, e.displayText() = Connection reset by peer, e.what() = Connection reset by peer",
      .connection, "connection reset by peer"
    ),
    (
      "Code: 6. DB::Exception: Cannot parse string 'x'. Stack trace:\n\n0. 0x7f\n1. 0x80\n (CANNOT_PARSE_TEXT) (version 24.8)",
      .engine, "cannot parse string 'x'"
    ),
  ])
  func anErrorOfEitherFormIsRead(text: String, kind: DatabaseError.Kind, message: String) throws {
    let error = try #require(ServerException(in: text)).error(statement: nil, database: "default")
    #expect(error.kind == kind)
    #expect(error.message == message)
  }

  @Test(arguments: ["", "Code: x", "Code: 60", "error Code: 60, no", "<html>502</html>"])
  func anotherTextIsNoError(text: String) { #expect(ServerException(in: text) == nil) }

  @Test func aPlaceIsCountedInCharacters() {
    let exception = ServerException(
      in:
        "Code: 62. DB::Exception: Syntax error: failed at position 17 (m): m x. Expected one of: token, end of query. (SYNTAX_ERROR)"
    )
    let error = exception?.error(statement: "select 'é' fro m x", database: "default")
    #expect(error?.offset == 15)
    #expect(error?.message == "syntax error: failed at position 17 (m): m x")
    #expect(exception?.error(statement: "x", database: "").offset == 1)
  }

  @Test(arguments: [
    ("1\tx\n2\ty\n", false),
    ("1\tx\n2\tCode: 6, e.displayText() = DB::Exception: no, e.what() = DB::Exception\n", true),
    ("1\tx\nCode: 6, e.displayText() = DB::Exception: 'a\nb', e.what() = DB::Exception\n", true),
    ("Code: 6, e.displayText() = DB::Exception: no, e.what() = DB::Exception\tx\n2\ty\n", false),
    ("1\tx\n2\tabCode: 6. DB::Exception: no. (BAD) (version 24.8.1)\n", true),
    ("1\tx\nCode: 6. DB::Exception: no", true), ("1\tx\n2", false),
  ])
  func theTailOfAStreamIsChecked(text: String, isFailure: Bool) {
    #expect((StreamTail(Array(text.utf8)[...], columns: 2).exception != nil) == isFailure)
  }
}
