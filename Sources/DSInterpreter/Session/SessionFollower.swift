/// Follows a session beside its commands, such as a server that shows its sources.
///
/// The session owns it. An upper module adds it to ``ScriptExecution/followers``.
package protocol SessionFollower: AnyObject {
  /// Readable when ``follow(_:)`` should be called while the prompt waits for a key.
  var descriptor: Int32 { get }
  /// Whether a script that has ended should not end the session.
  var keepsSessionOpen: Bool { get }
  /// Called in the isolation of the sources: after each line of the outermost script, also after one
  /// that failed, after changes by other programs were read at the prompt, and when ``descriptor`` is
  /// readable.
  func follow(_ session: Session) async
  /// Called once, when the session ends or no longer needs the follower.
  func end() async
}

extension Session {
  /// Descriptors that are readable when a follower should be called.
  package var followerDescriptors: [Int32] { execution.followers.map(\.descriptor) }

  /// The time after which followers are called in any case while the prompt waits for a key: a fetch
  /// in the background ends without making a descriptor readable. nil for never.
  package var followerInterval: Duration? {
    let waits = !execution.followers.isEmpty && backgroundFetches.contains { $0.outcome == nil }
    return waits ? .milliseconds(50) : nil
  }

  /// Whether a follower needs the session after its scripts have ended.
  package var isKeptOpen: Bool { execution.followers.contains(where: \.keepsSessionOpen) }

  /// Ends all followers before the program ends.
  package func endFollowers() async {
    for follower in execution.followers { await follower.end() }
    execution.followers = []
  }

  func callFollowers() async {
    for follower in execution.followers { await follower.follow(self) }
  }
}
