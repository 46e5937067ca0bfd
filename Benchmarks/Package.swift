// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "dsshell", path: "..")],
  targets: [
    .executableTarget(
      name: "InProcess",
      dependencies: [
        .product(name: "DataTables", package: "dsshell"),
        .product(name: "DataSources", package: "dsshell"),
        .product(name: "HTTPTransport", package: "dsshell"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ])
  ]
)
