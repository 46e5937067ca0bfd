/// One place a worker or piece of work, each written by one thread.
///
/// Sendable although unchecked: every index is used by one thread at a time, and read by others only
/// after the work is joined.
final class WorkerSlots<Value>: @unchecked Sendable {
  private let slots: UnsafeMutableBufferPointer<Value?>

  init(_ count: Int) {
    slots = .allocate(capacity: count)
    slots.initialize(repeating: nil)
  }

  deinit {
    slots.deinitialize()
    slots.deallocate()
  }

  subscript(index: Int) -> Value? {
    get { slots[index] }
    set { slots[index] = newValue }
  }

  /// The value at `index`, made when it is first asked for.
  func value(_ index: Int, make: () throws -> Value) rethrows -> Value {
    if let value = slots[index] { return value }
    let value = try make()
    slots[index] = value
    return value
  }
}
