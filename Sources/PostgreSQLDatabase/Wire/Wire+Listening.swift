import CPostgreSQL
import DataTables
import Databases

/// Whether a trigger notifies about each change of a table, as ``Wire/trigger(of:_:)`` finds it.
enum ChangeTrigger {
  /// With the number of the table, which is the payload of the notifications.
  case present(table: String)
  /// One can be made.
  case absent
  /// No trigger would see all changes: those of a view, of a foreign table, or of a table whose rows
  /// also change through another one.
  case impossible
}

extension Wire {
  /// The function of the triggers that are relied upon, in any schema.
  static let notifyingFunction = "dsshell_notify"
  /// The channel of their notifications.
  static let channel = "dsshell"

  /// The statements that make the trigger of a table.
  static func statementsForTrigger(of table: TableName) -> [String] {
    [
      """
      CREATE OR REPLACE FUNCTION \(notifyingFunction)() RETURNS trigger LANGUAGE plpgsql AS \
      'BEGIN PERFORM pg_notify(''\(channel)'', TG_RELID::text); RETURN NULL; END'
      """,
      """
      CREATE TRIGGER \(notifyingFunction) AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE \
      ON \(table.quotedName) EXECUTE FUNCTION \(notifyingFunction)()
      """,
    ]
  }

  /// Finds enabled triggers without conditions that together see each kind of change.
  func trigger(of table: TableName, _ cancellation: Cancellation) throws -> ChangeTrigger {
    // The bits of `tgtype`: 4 for INSERT, 8 for DELETE, 16 for UPDATE, 32 for TRUNCATE.
    let found = try rows(
      script: """
        SELECT c.oid::text, coalesce((SELECT bit_or(t.tgtype::int) & 60 = 60
          FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_proc f ON f.oid = t.tgfoid
          WHERE t.tgrelid = c.oid AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NULL
            AND t.tgattr::text = '' AND f.proname = \(Self.notifyingFunction.quotedLiteral)), false)
        FROM pg_catalog.pg_class c
        WHERE c.oid = pg_catalog.to_regclass(\(table.quotedName.quotedLiteral))
          AND c.relkind = 'r' AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i
            WHERE c.oid IN (i.inhrelid, i.inhparent))
        """, cancellation)
    guard let row = found.first, row.count == 2, let number = row[0].string else {
      return .impossible
    }
    return row[1] == true ? .present(table: number) : .absent
  }

  /// Begins to receive notifications.
  func listen(_ cancellation: Cancellation) throws {
    _ = try rows(script: "LISTEN \(Self.channel)", cancellation)
  }

  /// Readable when something has arrived.
  var descriptor: Int32 { cpq_socket(pointer) }

  /// The payloads of the notifications that have arrived; nil if the connection broke.
  func takeNotifications() -> [String]? {
    guard !isBroken, cpq_consume_input(pointer) == 1 else {
      abandon()
      return nil
    }
    var payloads: [String] = []
    // The number of a table is shorter.
    var payload = [CChar](repeating: 0, count: 32)
    while cpq_take_notification(pointer, &payload, Int32(payload.count)) == 1 {
      payloads.append(String(decoding: payload.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }
    return payloads
  }
}
