/// Reads by which a test checks contents. They leave no trace: their pages and statements are neither
/// kept nor counted, so that a script shows the same with and without checks.
package enum UnobservedReads {
  @TaskLocal package static var areRunning = false
}
