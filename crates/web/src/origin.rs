//! Whom the server answers. Pages of other sites run in the same browser: they must neither open a
//! board nor, by a name that they point at this machine, pass for this site.

use std::net::IpAddr;

/// Whether a `Host` header names this server: an address, `localhost`, or one of `names`. A name
/// that someone else made up for our address is refused.
pub fn is_own_host(host: &str, names: &[String]) -> bool {
    let name = match host.rsplit_once(':') {
        // The colons of an address without brackets are no port.
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    bare.parse::<IpAddr>().is_ok()
        || bare.eq_ignore_ascii_case("localhost")
        || names.iter().any(|known| known.eq_ignore_ascii_case(bare))
}

/// Whether a page of this origin was served by the host it speaks to.
pub fn is_same(origin: &str, host: &str) -> bool {
    let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    from.is_some_and(|from| from.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_and_known_names_are_ours() {
        let names = ["go.example".to_owned()];
        for good in ["127.0.0.1:8361", "localhost:1", "[::1]:8361", "192.168.0.7", "go.example:80"]
        {
            assert!(is_own_host(good, &names), "{good}");
        }
        for bad in
            ["evil.example", "evil.example:8361", "", "127.0.0.1.evil.example", "localhost.x"]
        {
            assert!(!is_own_host(bad, &names), "{bad}");
        }
    }

    #[test]
    fn other_sites_are_other_origins() {
        assert!(is_same("http://127.0.0.1:8361", "127.0.0.1:8361"));
        assert!(!is_same("http://127.0.0.1:8361", "localhost:8361"));
        for origin in ["http://evil.example", "null", "", "file://", "http://127.0.0.1:8361.evil"] {
            assert!(!is_same(origin, "127.0.0.1:8361"), "{origin}");
        }
    }
}
