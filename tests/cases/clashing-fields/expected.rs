// file: notes.txt
note    spec.yaml#/components/schemas/Proxy/properties/authURL: the type is `spec::ProxyAuthUrl2`, as another schema is `ProxyAuthUrl`; give it a name in groups.yaml: `rename: { "Proxy/properties/authURL": Name }`
note    spec.yaml#/components/schemas/Proxy/properties/authURL: the field is `auth_url_2`, as `authUrl` is `auth_url`; give it a name in groups.yaml: `rename: { "Proxy.authURL": name }`
note    spec.yaml#/components/schemas/Proxy/properties/host_ip: the field is `host_ip_2`, as `host-ip` is `host_ip`; give it a name in groups.yaml: `rename: { "Proxy.host_ip": name }`
note    spec.yaml#/components/schemas/Proxy/properties/proxy-url: the field is `proxy_url_3`, as `proxyUrl` is `proxy_url`; give it a name in groups.yaml: `rename: { "Proxy.proxy-url": name }`
note    spec.yaml#/components/schemas/Proxy/properties/proxyURL: the field is `proxy_url_4`, as `proxyUrl` is `proxy_url`; give it a name in groups.yaml: `rename: { "Proxy.proxyURL": name }`
note    spec.yaml#/components/schemas/Proxy/properties/tls_config: the field is `tls_config_2`, as `security` is `tls_config`; give it a name in groups.yaml: `rename: { "Proxy.tls_config": name }`

// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/mod.rs
pub use proxy::Proxy;
pub use proxy_auth_url::ProxyAuthUrl;
pub use proxy_auth_url2::ProxyAuthUrl2;

// file: src/spec/types/proxy.rs
/// Spellings of a name, and a name that looks like a numbered one.
///
/// Schema `Proxy`.
#[derive(Clone, Default, PartialEq)]
pub struct Proxy {
    /// Numbered.
    pub proxy_url_4: Option<String>,
    /// In camelCase.
    pub proxy_url: Option<String>,
    /// Keeps its name.
    pub proxy_url_2: Option<String>,
    /// Numbered before others.
    pub proxy_url_3: Option<String>,
    /// Numbered.
    pub host_ip_2: Option<String>,
    /// The first by name.
    pub host_ip: Option<String>,
    /// Numbered, as groups.yaml gives the name to another.
    pub tls_config_2: Option<String>,
    /// Renamed.
    pub tls_config: Option<String>,
    /// Numbered like its type.
    pub auth_url_2: Option<Box<ProxyAuthUrl2>>,
    /// In camelCase.
    pub auth_url: Option<Box<ProxyAuthUrl>>,
}
static TABLE: codec::Table =
    codec::Table::new("Proxy", "! proxyURL proxyUrl proxy_url_2 proxy-url host_ip host-ip tls_config security authURL authUrl");

// file: src/spec/types/proxy_auth_url.rs
/// In camelCase.
///
/// Schema `Proxy/properties/authUrl`.
#[derive(Clone, Default, PartialEq)]
pub struct ProxyAuthUrl {
    /// `name`.
    pub name: Option<i64>,
}
static TABLE: codec::Table =
    codec::Table::new("ProxyAuthUrl", "! name");

// file: src/spec/types/proxy_auth_url2.rs
/// Numbered like its type.
///
/// Schema `Proxy/properties/authURL`.
#[derive(Clone, Default, PartialEq)]
pub struct ProxyAuthUrl2 {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("ProxyAuthUrl2", "! name");

