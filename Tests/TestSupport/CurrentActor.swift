/// The actor that isolates the caller; nil for none.
///
/// In a function that runs on the actor of its caller, `#isolation` itself is released once too often
/// (Swift 6.3).
package func currentActor(
  isolation: isolated (any Actor)? = #isolation
) -> ObjectIdentifier? {
  isolation.map { ObjectIdentifier($0) }
}
