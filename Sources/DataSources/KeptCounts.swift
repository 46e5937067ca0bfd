import DataTables
import Synchronization

/// The numbers of changes from one content to another: counting them reads all objects, and contents
/// never change.
package final class KeptCounts: Sendable {
  /// Determines the changes that lead to a content.
  package struct Basis: Equatable, Sendable {
    /// The number of the content before.
    private let number: Int
    private let id: ObjectKeyPath?
    /// Whether the source has an `id` of its own, which must exist in its objects.
    private let isOwn: Bool

    package init(from content: KeptContent, of source: any DataSource) {
      number = content.number
      id = source.id
      isOwn = source.state.id != nil
    }
  }

  private let kept = Mutex<(basis: Basis, counts: [Int])?>(nil)

  /// The numbers that were counted last; nil if the basis has changed since.
  package subscript(basis: Basis) -> [Int]? {
    get { kept.withLock { $0?.basis == basis ? $0?.counts : nil } }
    set { kept.withLock { kept in kept = newValue.map { (basis, $0) } } }
  }
}
