import ArgumentParser

/// The value of `--shard`, such as `2/5`: an index counted from 1, and the number of shards.
struct Shard: ExpressibleByArgument {
  let index: Int
  let count: Int

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], index > 0, index <= count
    else { return nil }
    self.index = index
    self.count = count
  }
}
