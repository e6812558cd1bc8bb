// file: src/core_v1/mod.rs
//! `core/v1`: types, and a module of requests for each resource.
pub use types::*;

// file: src/core_v1/types/container.rs
/// A container.
///
/// Schema `io.k8s.api.core.v1.Container`.
#[derive(Clone, Default, PartialEq)]
pub struct Container {
    /// Image pull policy. One of Always, Never, IfNotPresent.
    ///
    /// Possible enum values:
    ///
    /// - `"Always"` means that kubelet always attempts to pull the latest image.
    /// - `"IfNotPresent"` means that kubelet pulls if the image isn't present on disk.
    /// - `"Never"` means that kubelet never pulls an image.
    ///
    /// One of `Always`, `IfNotPresent`, `Never`.
    pub image_pull_policy: Option<ContainerImagePullPolicy>,
    /// Possible enum values:
    ///
    /// - `"File"`
    /// - `"FallbackToLogsOnError"`
    ///
    /// One of `FallbackToLogsOnError`, `File`.
    ///
    /// Default `File`.
    pub termination_message_policy: ContainerTerminationMessagePolicy,
    /// Each element: One of `Build`, `Run`.
    ///
    /// Apply merges the elements as a set.
    pub stages: Option<Vec<ContainerStages>>,
    /// Each value: One of `Ready`, `Unready`.
    pub by_node: Option<BTreeMap<String, ContainerByNode>>,
    /// Each element of each value of each element: One of `x`, `y`.
    pub deep: Option<Vec<BTreeMap<String, Vec<ContainerDeep>>>>,
    /// An empty text is one of the values.
    ///
    /// One of `""`, `Directory`, `FileOrCreate`.
    pub nothing_yet: Option<ContainerNothingYet>,
}
static TABLE: codec::Table =
    codec::Table::new("Container", "! imagePullPolicy terminationMessagePolicy! stages byNode deep nothingYet").merge(&[
        (2, codec::Merge::USUAL.set()),
    ]);

// file: src/core_v1/types/container_by_node.rs
/// Schema `io.k8s.api.core.v1.Container/properties/byNode/additionalProperties`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ContainerByNode {
    /// `Ready`
    Ready,
    /// `Unready`
    Unready,
    /// A value that the document does not list.
    Other(String),
}
impl ContainerByNode {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Ready => "Ready",
            Self::Unready => "Unready",
}
impl From<&str> for ContainerByNode
            "Ready" => Self::Ready,
            "Unready" => Self::Unready,
kapigen_runtime::__private::open_enum!(ContainerByNode);

// file: src/core_v1/types/container_deep.rs
/// Schema `io.k8s.api.core.v1.Container/properties/deep/items/additionalProperties/items`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ContainerDeep {
    /// `x`
    X,
    /// `y`
    Y,
    /// A value that the document does not list.
    Other(String),
}
impl ContainerDeep {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::X => "x",
            Self::Y => "y",
}
impl From<&str> for ContainerDeep
            "x" => Self::X,
            "y" => Self::Y,
kapigen_runtime::__private::open_enum!(ContainerDeep);

// file: src/core_v1/types/container_image_pull_policy.rs
/// Image pull policy. One of Always, Never, IfNotPresent.
///
/// Possible enum values:
///
/// - `"Always"` means that kubelet always attempts to pull the latest image.
/// - `"IfNotPresent"` means that kubelet pulls if the image isn't present on disk.
/// - `"Never"` means that kubelet never pulls an image.
///
/// Schema `io.k8s.api.core.v1.Container/properties/imagePullPolicy`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ContainerImagePullPolicy {
    /// `Always`
    Always,
    /// `IfNotPresent`
    IfNotPresent,
    /// `Never`
    Never,
    /// A value that the document does not list.
    Other(String),
}
impl ContainerImagePullPolicy {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Always => "Always",
            Self::IfNotPresent => "IfNotPresent",
            Self::Never => "Never",
}
impl From<&str> for ContainerImagePullPolicy
            "Always" => Self::Always,
            "IfNotPresent" => Self::IfNotPresent,
            "Never" => Self::Never,
kapigen_runtime::__private::open_enum!(ContainerImagePullPolicy);

// file: src/core_v1/types/container_nothing_yet.rs
/// An empty text is one of the values.
///
/// Schema `io.k8s.api.core.v1.Container/properties/nothingYet`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ContainerNothingYet {
    /// `""`
    Empty,
    /// `Directory`
    Directory,
    /// `FileOrCreate`
    FileOrCreate,
    /// A value that the document does not list.
    Other(String),
}
impl ContainerNothingYet {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Empty => "",
            Self::Directory => "Directory",
            Self::FileOrCreate => "FileOrCreate",
}
impl From<&str> for ContainerNothingYet
            "" => Self::Empty,
            "Directory" => Self::Directory,
            "FileOrCreate" => Self::FileOrCreate,
kapigen_runtime::__private::open_enum!(ContainerNothingYet);

// file: src/core_v1/types/container_stages.rs
/// Schema `io.k8s.api.core.v1.Container/properties/stages/items`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ContainerStages {
    /// `Build`
    Build,
    /// `Run`
    Run,
    /// A value that the document does not list.
    Other(String),
}
impl ContainerStages {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Build => "Build",
            Self::Run => "Run",
}
impl From<&str> for ContainerStages
            "Build" => Self::Build,
            "Run" => Self::Run,
kapigen_runtime::__private::open_enum!(ContainerStages);

// file: src/core_v1/types/container_termination_message_policy.rs
/// Possible enum values:
///
/// - `"File"`
/// - `"FallbackToLogsOnError"`
///
/// Schema `io.k8s.api.core.v1.Container/properties/terminationMessagePolicy`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ContainerTerminationMessagePolicy {
    /// `FallbackToLogsOnError`
    FallbackToLogsOnError,
    /// `File`
    File,
    /// A value that the document does not list.
    Other(String),
}
impl ContainerTerminationMessagePolicy {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::FallbackToLogsOnError => "FallbackToLogsOnError",
            Self::File => "File",
}
impl From<&str> for ContainerTerminationMessagePolicy
            "FallbackToLogsOnError" => Self::FallbackToLogsOnError,
            "File" => Self::File,
kapigen_runtime::__private::open_enum!(ContainerTerminationMessagePolicy);

// file: src/core_v1/types/mod.rs
pub use container::Container;
pub use container_by_node::ContainerByNode;
pub use container_deep::ContainerDeep;
pub use container_image_pull_policy::ContainerImagePullPolicy;
pub use container_nothing_yet::ContainerNothingYet;
pub use container_stages::ContainerStages;
pub use container_termination_message_policy::ContainerTerminationMessagePolicy;

