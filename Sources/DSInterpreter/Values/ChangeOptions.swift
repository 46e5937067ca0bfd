/// The form in which changes are listed.
struct ChangeOptions: Sendable {
  /// Whether the changes are split into batches that table views accept.
  var isStaged = false
  /// Whether reordered sections are moved; otherwise they are deleted and inserted.
  var movesSections = false
}
