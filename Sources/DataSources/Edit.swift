public import DataTables

/// A change of the objects of a source by hand.
public enum Edit: Sendable {
  /// `at` is a row of the source that is edited, from 0; nil for the end.
  case insert(Value, at: Int? = nil)
  case remove(IndexPath)
  /// The values that some keys of the object get; further keys are added to it. An object that is no
  /// record cannot be updated.
  case update(IndexPath, Record)

  /// The place of the object that is edited; nil for a new one.
  public var path: IndexPath? {
    switch self {
    case .insert: nil
    case .remove(let path), .update(let path, _): path
    }
  }

  /// The same edit of an object at another place.
  func moved(to path: IndexPath) -> Edit {
    switch self {
    case .insert: self
    case .remove: .remove(path)
    case .update(_, let values): .update(path, values)
    }
  }
}
