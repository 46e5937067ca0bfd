import Glibc

/// The sizes of sections, and how useful a list with such sections is.
struct SectionShape {
  /// Ascending.
  let sizes: [Int]
  let objects: Int
  let nulls: Int

  static let maxSections = 60

  /// From 0, which means that the sections are not useful, to 1.
  ///
  /// Useful sections are some, up to about 20, of similar sizes, of several objects each, and few
  /// objects are under the title null.
  var quality: Double {
    let count = sizes.count
    // With almost as many sections as objects, the sections say nothing.
    guard count >= 2, count <= Self.maxSections, count * 5 <= objects * 4, nulls * 5 <= objects
    else { return 0 }
    let number =
      switch count {
      case 2: 0.8
      case ...20: 1.0
      default: 1 - 0.6 * Double(count - 20) / Double(Self.maxSections - 20)
      }
    let filling = min(1, Double(objects) / Double(count) / 4).squareRoot()
    return number * evenness * filling * (1 - Double(nulls) / Double(objects))
  }

  /// The entropy of the sizes, relative to that of equal sizes: 1 for equal sizes.
  private var evenness: Double {
    let total = Double(objects)
    // The sum in the order of the sizes is the same in each run.
    let entropy = sizes.reduce(0.0) { sum, size in
      let share = Double(size) / total
      return share > 0 ? sum - share * log(share) : sum
    }
    return entropy / log(Double(sizes.count))
  }

  /// Whether so many sections have one object of a sample that others must be missing in it.
  var isIncomplete: Bool { sizes.prefix { $0 == 1 }.count * 4 > sizes.count }
}
