// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/api_service_cid_rs.rs
/// The name of a type is kept as it is.
///
/// Schema `APIServiceCIDRs`.
#[derive(Clone, Default, PartialEq)]
pub struct APIServiceCIDRs {
    /// `items`.
    pub items: Option<Vec<HTTPGetACTION>>,
}
static TABLE: codec::Table =
    codec::Table::new("APIServiceCIDRs", "! items");

// file: src/spec/types/http_get_action.rs
/// Names of members that a plain rule would tear apart.
///
/// Schema `HTTPGetACTION`.
#[derive(Clone, Default, PartialEq)]
pub struct HTTPGetACTION {
    /// `hostIP`.
    pub host_ip: Option<String>,
    /// `hostIPs`.
    pub host_ips: Option<Vec<String>>,
    /// `podCIDRs`.
    pub pod_cidrs: Option<Vec<String>>,
    /// `clusterIPs`.
    pub cluster_ips: Option<Vec<String>>,
    /// `externalIPs`.
    pub external_ips: Option<Vec<String>>,
    /// `nonResourceURLs`.
    pub non_resource_urls: Option<Vec<String>>,
    /// `targetWWNs`.
    pub target_wwns: Option<Vec<String>>,
    /// `serverAddressByClientCIDRs`.
    pub server_address_by_client_cidrs: Option<Vec<String>>,
    /// `openAPIV3Schema`.
    ///
    /// Apply replaces the whole value.
    pub open_api_v3_schema: Option<RawJson>,
    /// `insecureSkipTLSVerifyBackend`.
    pub insecure_skip_tls_verify_backend: Option<bool>,
    /// `hostPID`.
    pub host_pid: Option<bool>,
    /// `clientIDs`.
    pub client_ids: Option<Vec<String>>,
    /// `IPs`.
    pub ips: Option<Vec<String>>,
    /// `URLsByID`.
    pub urls_by_id: Option<BTreeMap<String, String>>,
    /// `x509SVID`.
    pub x509_svid: Option<String>,
    /// `IPv6`.
    pub i_pv6: Option<String>,
    /// `ipv4Address`.
    pub ipv4_address: Option<String>,
    /// `sha256Sum`.
    pub sha256_sum: Option<String>,
    /// `OAuth2`.
    pub o_auth2: Option<String>,
    /// `Port`.
    pub port: Option<i32>,
    /// `ID`.
    pub id: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("HTTPGetACTION", "! hostIP hostIPs podCIDRs clusterIPs externalIPs nonResourceURLs targetWWNs \
        serverAddressByClientCIDRs openAPIV3Schema!! insecureSkipTLSVerifyBackend hostPID clientIDs IPs \
        URLsByID x509SVID IPv6 ipv4Address sha256Sum OAuth2 Port ID").merge(&[
        (8, codec::Merge::USUAL.atomic()),
    ]);

// file: src/spec/types/mod.rs
pub use api_service_cid_rs::APIServiceCIDRs;
pub use http_get_action::HTTPGetACTION;

