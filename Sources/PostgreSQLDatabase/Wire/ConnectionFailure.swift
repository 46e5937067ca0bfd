import DataSources
import Databases

/// The reason why a connection could not be made. libpq reports a text of one or more lines, and
/// no code.
struct ConnectionFailure {
  /// `127.0.0.1:5432`
  let place: String
  /// As libpq reports it.
  let report: String
  let needsPassword: Bool
  let usedPassword: Bool

  var error: DatabaseError {
    let reasons = reasons
    if needsPassword { return DatabaseError(.access, "the server asks for a password") }
    let reason = reasons.joined(separator: "; ")
    if let refusal = refusal(reason) { return refusal }
    return DatabaseError(.connection, "cannot connect to \(place): \(reason)")
  }

  /// An error of the server, as far as its text says which one.
  private func refusal(_ reason: String) -> DatabaseError? {
    if reason.contains("authentication failed") {
      return DatabaseError(.access, reason, code: usedPassword ? "28P01" : "28000")
    }
    if reason.contains("no pg_hba.conf entry") || reason.contains("is not permitted to log in") {
      return DatabaseError(.access, reason, code: "28000")
    }
    if reason.hasPrefix("database "), reason.contains("does not exist") {
      let name = String(reason.split(separator: "\"").dropFirst().first ?? "")
      return DatabaseError(.unknownDatabase(name), reason, code: "3D000")
    }
    if reason.hasPrefix("role "), reason.contains("does not exist") {
      return DatabaseError(.access, reason, code: "28000")
    }
    return nil
  }

  /// The reasons of the tries (with TLS and without it, for each address of a host), without the
  /// place, and without libpq's questions to the reader.
  private var reasons: [String] {
    var reasons: [String] = []
    for line in report.split(separator: "\n") where line.first != "\t" {
      var text = line[...]
      for mark in [" failed: ", "FATAL:  "] {
        if let range = text.firstRange(of: mark) { text = text[range.upperBound...] }
      }
      let reason = String(text).clause
      if !reason.isEmpty, !reasons.contains(reason) { reasons.append(reason) }
    }
    return reasons.isEmpty ? ["unknown reason"] : reasons
  }
}
