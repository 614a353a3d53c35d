//! Which addresses may be called: none that only this machine or its neighbours can reach, so that nobody can use the
//! product to look around there.

use std::net::IpAddr;
use std::sync::LazyLock;

use ipnet::IpNet;

/// Networks that are not the public Internet, from IANA's registries of special-purpose addresses.
const SPECIAL: [&str; 28] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "::/128",
    "::1/128",
    // IPv4 addresses in IPv6, by translators and tunnels: who is reached depends on the network.
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "ff00::/8",
];

static NOT_PUBLIC: LazyLock<Vec<IpNet>> =
    LazyLock::new(|| SPECIAL.iter().map(|network| network.parse().expect("SPECIAL lists networks")).collect());

/// Networks that may be called although they are not public.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Networks(Vec<IpNet>);

impl Networks {
    /// Parses addresses and networks such as `10.2.0.0/16, 127.0.0.1`, separated by commas or spaces.
    ///
    /// # Errors
    /// Returns the entry that is neither.
    pub(crate) fn parse(list: &str) -> Result<Networks, String> {
        let entries = list.split([',', ' ']).filter(|entry| !entry.is_empty());
        let network = |entry: &str| entry.parse().ok().or_else(|| entry.parse::<IpAddr>().ok().map(IpNet::from));
        entries.map(|entry| network(entry).ok_or_else(|| entry.to_owned())).collect::<Result<_, _>>().map(Networks)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the address is in one of these networks.
    pub(crate) fn contain(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address.to_canonical()))
    }

    /// Whether the address may be called.
    pub(crate) fn allow(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.contain(address) || !NOT_PUBLIC.iter().any(|network| network.contains(&address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(networks: &str, address: &str) -> bool {
        Networks::parse(networks).unwrap().allow(address.parse().unwrap())
    }

    #[test]
    fn only_public_addresses_may_be_called() {
        for public in ["93.184.215.14", "8.8.8.8", "172.32.0.1", "2606:4700:4700::1111", "2a01:4f8::1"] {
            assert!(allows("", public), "{public}");
        }
        for private in [
            "127.0.0.1",
            "127.8.0.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.100.100.200",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "fd00:ec2::254",
            "fe80::1",
        ] {
            assert!(!allows("", private), "{private}");
        }
    }

    #[test]
    fn an_operator_names_networks_that_may_be_called_as_well() {
        let networks = "10.2.0.0/16, 127.0.0.1 fd00::/8";
        for allowed in ["10.2.3.4", "127.0.0.1", "::ffff:127.0.0.1", "fd12::1", "8.8.8.8"] {
            assert!(allows(networks, allowed), "{allowed}");
        }
        assert!(!allows(networks, "10.3.0.1") && !allows(networks, "127.0.0.2"));
        for wrong in ["10.2.0.0/33", "localhost", "10.2.0.0/16; 127.0.0.1", "*"] {
            assert!(Networks::parse(wrong).is_err(), "{wrong}");
        }
    }
}
