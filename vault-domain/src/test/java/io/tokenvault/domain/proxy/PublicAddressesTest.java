package io.tokenvault.domain.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublicAddressesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0",
        "100.127.255.255", "127.0.0.0", "127.0.0.1", "127.255.255.255", "169.254.0.0",
        "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.255",
        "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0",
        "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.0", "224.0.0.251",
        "239.255.255.255", "240.0.0.0", "255.255.255.255"
      })
  void specialIpv4RangesAreNotPublic(String address) throws Exception {
    assertThat(PublicAddresses.contains(InetAddress.getByName(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255",
        "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0",
        "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255"
      })
  void adjacentIpv4AddressesArePublic(String address) throws Exception {
    assertThat(PublicAddresses.contains(InetAddress.getByName(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "::", "::1", "::2", "::7f00:1",
        "::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::1",
        "64:ff9b:1::8.8.8.8", "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:10::1", "2001:20::1", "2001:1ff:ffff::1", "2001:db8::1",
        "2002:7f00:1::", "2002:a00:1::1", "2002:c0a8:101::1", "2002:a9fe:a9fe::",
        "3fff::1", "3fff:fff::1", "5f00::1", "4000::1",
        "fc00::1", "fdff::1", "fe80::1", "febf::1",
        "fec0::1", "ff02::1", "ff0e::1"
      })
  void specialIpv6RangesAndEmbeddedSpecialIpv4AreNotPublic(String address) throws Exception {
    assertThat(PublicAddresses.contains(InetAddress.getByName(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2000::1", "2001:200::1", "2001:4860:4860::8888", "2606:4700::1111", "2a00::1",
        "2001:db7::1", "2001:db9::1", "2002:808:808::1", "64:ff9b::8.8.8.8", "3ffe::1",
        "2003::1"
      })
  void otherIpv6AddressesArePublic(String address) throws Exception {
    assertThat(PublicAddresses.contains(InetAddress.getByName(address))).isTrue();
  }

  @Test
  void mappedAddressesAreTreatedAsIpv4() throws Exception {
    assertThat(PublicAddresses.contains(InetAddress.getByName("::ffff:127.0.0.1"))).isFalse();
    assertThat(PublicAddresses.contains(InetAddress.getByName("::ffff:8.8.8.8"))).isTrue();
  }
}
