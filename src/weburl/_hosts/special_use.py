"""Networks and names of IANA's registries that are not on the public internet: private hosts."""

# Networks that are not globally reachable (in some, single addresses are), and those for multicast:
# https://www.iana.org/assignments/iana-ipv4-special-registry/
IPV4_NETWORKS = tuple(
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 "
    "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4".split()
)

# The same within global unicast; outside of it nothing is public:
# https://www.iana.org/assignments/iana-ipv6-special-registry/
# 6to4, 2002::/16, is among them: nobody needs it, and it would lead to any IPv4 address.
GLOBAL_UNICAST = ("2000::/3",)
IPV6_NETWORKS = ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

# IPv6 addresses that stand for the IPv4 address in their last 32 bits: mapped ones, and those of NAT64.
IPV4_IN_IPV6 = ("::ffff:0:0/96", "64:ff9b::/96")

# Names that the public DNS does not have; the names below them are private, too. First the registry, without
# example.com, example.net and example.org, which are public: https://www.iana.org/assignments/special-use-domain-names/
# (RFC 2606, 6303, 6761, 6762, 7050, 7686, 8375, 8880, 9031, 9140, 9462, 9476, 9665, 9965). Then RFC 6762, appendix G;
# internal, which ICANN has set aside; and names of 127.0.0.1 and ::1 in the /etc/hosts of some systems.
PRIVATE_NAMES = (
    "alt example invalid local localhost onion test "
    "6tisch.arpa eap.arpa eap-noob.arpa home.arpa ipv4only.arpa resolver.arpa service.arpa "
    "10.in-addr.arpa 254.169.in-addr.arpa 168.192.in-addr.arpa 170.0.0.192.in-addr.arpa 171.0.0.192.in-addr.arpa "
    "16.172.in-addr.arpa 17.172.in-addr.arpa 18.172.in-addr.arpa 19.172.in-addr.arpa 20.172.in-addr.arpa "
    "21.172.in-addr.arpa 22.172.in-addr.arpa 23.172.in-addr.arpa 24.172.in-addr.arpa 25.172.in-addr.arpa "
    "26.172.in-addr.arpa 27.172.in-addr.arpa 28.172.in-addr.arpa 29.172.in-addr.arpa 30.172.in-addr.arpa "
    "31.172.in-addr.arpa 8.e.f.ip6.arpa 9.e.f.ip6.arpa a.e.f.ip6.arpa b.e.f.ip6.arpa "
    "corp home intranet lan private internal localdomain localdomain4 localdomain6"
).split()
