/// What a cassette is put in for.
public enum CassetteMode: String, CaseIterable, Sendable {
  /// Replays a file that is there, and records one that is not.
  case auto
  case replay
  /// Records anew, also where a file is.
  case record
}
