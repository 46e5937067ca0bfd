/// Makes keys unique by numbers: `name`, `name_2`, `name_3`.
package struct FreeKeys {
  /// The keys that are in use.
  package private(set) var taken: Set<String>
  /// The next number of each name, so that many equal names need no search.
  private var numbers: [String: Int] = [:]

  package init(besides taken: Set<String> = []) { self.taken = taken }

  /// Takes a name, or the first of the names with a number that is free.
  package mutating func take(_ name: String) -> String {
    var key = name
    while !taken.insert(key).inserted {
      let number = numbers[name, default: 2]
      numbers[name] = number + 1
      key = "\(name)_\(number)"
    }
    return key
  }
}
