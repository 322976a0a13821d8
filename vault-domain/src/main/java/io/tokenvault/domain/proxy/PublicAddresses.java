package io.tokenvault.domain.proxy;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Distinguishes public internet addresses from all others.
 *
 * <p>Others are loopback, private, link-local, shared (CGNAT), multicast, documentation,
 * benchmarking and reserved ranges, unique-local addresses, and IPv6 forms that embed such an IPv4
 * address (mapped, NAT64, 6to4). The ranges are those of the IANA special-purpose address
 * registries.
 */
public final class PublicAddresses {

  private static final List<Block> SPECIAL_IPV4 =
      blocks(
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
          "240.0.0.0/4");
  private static final Block GLOBAL_IPV6 = Block.of("2000::/3");
  private static final List<Block> SPECIAL_IPV6 = blocks("2001::/23", "2001:db8::/32", "3fff::/20");
  private static final Block SIX_TO_FOUR = Block.of("2002::/16");
  private static final Block NAT64 = Block.of("64:ff9b::/96");
  private static final Block MAPPED = Block.of("::ffff:0:0/96");
  private static final int IPV4_BYTES = 4;

  private PublicAddresses() {}

  private static List<Block> blocks(String... texts) {
    return Arrays.stream(texts).map(Block::of).toList();
  }

  /** Returns whether an address belongs to the public internet. */
  public static boolean contains(InetAddress address) {
    return contains(address.getAddress());
  }

  private static boolean contains(byte[] address) {
    return address.length == IPV4_BYTES ? isPublicIpv4(address) : isPublicIpv6(address);
  }

  private static boolean isPublicIpv4(byte[] address) {
    return SPECIAL_IPV4.stream().noneMatch(block -> block.contains(address));
  }

  private static boolean isPublicIpv6(byte[] address) {
    if (SIX_TO_FOUR.contains(address)) {
      return isPublicIpv4(Arrays.copyOfRange(address, 2, 6));
    }
    if (NAT64.contains(address) || MAPPED.contains(address)) {
      return isPublicIpv4(Arrays.copyOfRange(address, 12, 16));
    }
    return GLOBAL_IPV6.contains(address)
        && SPECIAL_IPV6.stream().noneMatch(block -> block.contains(address));
  }

  /** A block of addresses that share a prefix. */
  private record Block(int size, BigInteger network, int hostBits) {

    /** Parses CIDR notation. IPv4-mapped addresses retain their 16 bytes. */
    static Block of(String cidr) {
      int slash = cidr.indexOf('/');
      String literal = cidr.substring(0, slash);
      byte[] bytes =
          literal.equals("::ffff:0:0") ? mappedPrefix() : literalAddress(literal).getAddress();
      int hostBits = bytes.length * Byte.SIZE - Integer.parseInt(cidr.substring(slash + 1));
      return new Block(bytes.length, new BigInteger(1, bytes).shiftRight(hostBits), hostBits);
    }

    boolean contains(byte[] address) {
      return address.length == size
          && new BigInteger(1, address).shiftRight(hostBits).equals(network);
    }

    /**
     * Returns the bytes of the mapped prefix; the JDK would convert its literal into an IPv4
     * address.
     */
    private static byte[] mappedPrefix() {
      byte[] bytes = new byte[16];
      bytes[10] = (byte) 0xff;
      bytes[11] = (byte) 0xff;
      return bytes;
    }

    private static InetAddress literalAddress(String literal) {
      try {
        return InetAddress.getByName(literal);
      } catch (UnknownHostException impossible) {
        throw new IllegalStateException("not an address literal", impossible);
      }
    }
  }
}
