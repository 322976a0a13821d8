package io.tokenvault.domain.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "https://api.example.com                 | api.example.com      | 443   | ''       |",
        "HTTPS://API.Example.COM/                | api.example.com      | 443   | ''       |",
        "https://api.example.com:443/a           | api.example.com      | 443   | /a       |",
        "https://api.example.com:8443/a/b///     | api.example.com      | 8443  | /a/b     |",
        "https://api.example.com:1?x=1           | api.example.com      | 1     | ''       | x=1",
        "https://api.example.com:65535/?         | api.example.com      | 65535 | ''       | ''",
        "https://api.example.com/a%2fb?x=/../?&y | api.example.com      | 443   | /a%2fb   | x=/../?&y",
        "https://xn--bcher-kva.example/          | xn--bcher-kva.example | 443  | ''       |",
        "https://1.example.com/                  | 1.example.com        | 443   | ''       |",
        "https://0xabc.de/...                    | 0xabc.de             | 443   | /...     |",
        "https://a-b.c--d.example/.a/b..         | a-b.c--d.example     | 443   | /.a/b..  |"
      })
  void validUrlIsParsed(String url, String host, int port, String path, String query)
      throws Exception {
    Destination destination = Destination.parse(url);

    assertThat(destination.host()).isEqualTo(host);
    assertThat(destination.port()).isEqualTo(port);
    assertThat(destination.path()).isEqualTo(path);
    assertThat(destination.query().orElse(null)).isEqualTo(query);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://127.0.0.1", "https://127.1",
        "https://127.0.1/x", "https://0",
        "https://0.0.0.0", "https://2130706433",
        "https://017700000001", "https://0x7f000001",
        "https://0X7F.0.0.1", "https://0177.0.0.01",
        "https://0x7f.1", "https://127.0.0.0x1",
        "https://8.8.8.8:443/", "https://[::1]",
        "https://[::1]:443/x", "https://[::ffff:127.0.0.1]",
        "https://[::ffff:7f00:1]", "https://[fe80::1%25eth0]",
        "https://[v1.fe80::a+en1]", "https://[fe80::1%eth0]",
        "https://[::127.0.0.1]", "https://[64:ff9b::7f00:1]",
        "https://0x7f.0x0.0x0.0x1", "https://0x7f000001.",
        "https://0000000177.0.0.1", "https://00000000000000000000000127.0.0.1",
        "https://4294967297", "https://127.0.0.1:443.",
        "https://1.1.1.1.1.1", "https://::1/",
        "https://127.0.0.1.", "https://example.com.",
        "https://example.com..", "https://1.2.3.4.5",
        "https://example.256", "https://example.0x",
        "https://a.0xg.0x1f"
      })
  void ipAddressIsRejectedInAnyNotation(String url) {
    assertInvalid(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "https", "https:",
        "https://", "https:///x", "https:/example.com",
        "//example.com", "example.com", "http://example.com",
        "ftp://example.com", "javascript:alert(1)", "https:\\\\example.com",
        "https:/\\example.com", "\uff48ttps://example.com", "https\uff1a//example.com",
        "http\u017f://example.com"
      })
  void urlWithoutHttpsOrHostIsRejected(String url) {
    assertInvalid(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://user@example.com", "https://user:pw@example.com",
        "https://@example.com", "https://example.com@evil.com",
        "https://example.com:443@evil.com", "https://example.com\\@evil.com",
        "https://a:b:c@example.com", "https://%40example.com",
        "https://user%40example.com", "https://:@example.com",
        "https://user@"
      })
  void userOrPasswordIsRejected(String url) {
    assertInvalid(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.com:", "https://example.com:/x", "https://example.com:0",
        "https://example.com:00", "https://example.com:0443", "https://example.com:65536",
        "https://example.com:99999", "https://example.com:100000", "https://example.com:-1",
        "https://example.com:+443", "https://example.com:443:443", "https://example.com:0x1bb",
        "https://example.com:٤٤٣", "https://:443"
      })
  void invalidPortIsRejected(String url) {
    assertInvalid(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.com\\.evil.com", "https://b\u00fccher.example",
        "https://example\u3002com", "https://\uff11\uff12\uff17.1",
        "https://127\uff0e0\uff0e0\uff0e1", "https://127\uff610.0.1",
        "https://\u2460\u2461\u2466.0.0.1", "https://example.com\uff0fevil",
        "https://example%2ecom", "https://%31%32%37.1",
        "https://.example.com", "https://example..com",
        "https://.", "https://-example.com",
        "https://example-.com", "https://exa_mple.com",
        "https://exam!ple.com", "https://example.com;x",
        "https://example.com,evil.com", "https://*.example.com",
        "https://(example).com", "https://exam$ple.com",
        "https://example.com\uff20evil.com", "https://example.com%09",
        "https://example.com%00.evil.com", "https://example.com%0d%0aHost:x",
        "https://\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54.example.com"
      })
  void invalidHostNameIsRejected(String url) {
    assertInvalid(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.com/a\\b", "https://example.com#x",
        "https://example.com/#", "https://example.com/\u00fc",
        "https://example.com/{{id}}", "https://example.com/a|b",
        "https://example.com/a^b", "https://example.com/a`b",
        "https://example.com/<a>", "https://example.com/\"",
        "https://example.com/%", "https://example.com/%4",
        "https://example.com/%zz", "https://example.com/x#@evil.com"
      })
  void invalidPathOrFragmentIsRejected(String url) {
    assertInvalid(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " https://example.com", "https://example.com ",
        "https://exa mple.com", "https:// example.com",
        "https://example.com\t", "https://example.com\r\nHost: x",
        "https://example.com\u0000", "https://example.com/\u0007",
        "https://example.com/\u007f", "https://example.com:44 3",
        "https://exa\tmple.com", "https://exa\nmple.com",
        "ht\ntps://example.com", "https://ex\u00ad ample.com"
      })
  void spacesAndControlCharactersAreRejected(String url) {
    assertInvalid(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/.", "/..", "/./", "/../", "/a/..",
        "/a/../b", "/a/./b", "/%2e", "/%2E/", "/.%2e",
        "/%2e.", "/%2e%2E/x", "/a%2f..", "/a%2F..%2fb", "/..%2f",
        "/a%5c..", "/%5C%2e%2e%5Cx", "/%252e%252e", "/%25252e.", "/a%252f..%252fb",
        "/..;/x", "/..;a=b", "/.%3bx/", "/%2e%2e%253b", "/%25%32%65%25%32%65/x",
        "/%252%65.", "/%2%35%32e", "/%25%32%66..", "/a%25%35%63..", "/..%25%33bx",
        "/..%00", "/..%2500x", "/.%09.", "/%0a..", "/%c0%ae%C0%AE/",
        "/%e0%80%ae.", "/a%c0%af..", "/a%c1%9c..%e0%81%9cb"
      })
  void dotSegmentsAreRejectedInAnyEncoding(String path) {
    assertThat(Destination.hasDotSegment(path)).isTrue();
    assertInvalid("https://example.com" + path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "/", "/...", "/a.", "/.a", "/a..b",
        "/..a", "/a../b", "/%2e%2e%2e", "/.%20", "/a%00..", "/%c0%ae%c0%ae%c0%ae",
        "/%25%32%65a", "/100%25/x", "/a%2eb", "/;..", "/x;..=.", "/%2",
        "/.well-known/x", "/a//b"
      })
  void otherDotsAreAllowed(String path) {
    assertThat(Destination.hasDotSegment(path)).isFalse();
  }

  @Test
  void deeplyEncodedPathIsDecodedInOnePass() {
    String layers = "%" + "25".repeat(200_000);

    assertThat(Destination.hasDotSegment("/" + layers + "2e/x")).isTrue();
    assertThat(Destination.hasDotSegment("/" + layers + "41/x")).isFalse();
  }

  @Test
  void hostAndUrlLengthsAreLimited() throws Exception {
    String label = "a".repeat(63);
    String longest = String.join(".", label, label, label, "a".repeat(61));
    String url = "https://example.com/" + "x".repeat(2048 - "https://example.com/".length());

    assertThat(Destination.parse("https://" + longest).host()).hasSize(253);
    assertInvalid("https://" + longest + "a");
    assertInvalid("https://" + "a".repeat(64) + ".example.com");
    assertThat(Destination.parse(url).path()).hasSize(2048 - "https://example.com".length());
    assertInvalid(url + "x");
  }

  @ParameterizedTest
  @CsvSource({
    "https://localhost, true", "https://LOCALHOST/x, true", "https://a.localhost, true",
    "https://intranet, true", "https://localhost.example.com, false", "https://a.b, false",
    "https://notlocalhost.com, false"
  })
  void localNamesAreDetected(String url, boolean local) throws Exception {
    assertThat(Destination.parse(url).isLocalName()).isEqualTo(local);
  }

  @Test
  void errorDoesNotQuoteRejectedDestination() {
    assertThatThrownBy(() -> Destination.parse("https://secret@example.com"))
        .isInstanceOf(InvalidDestinationException.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void toStringReturnsUrl() throws Exception {
    assertThat(Destination.parse("https://Example.com:443/a/?b").toString())
        .isEqualTo("https://example.com/a?b");
    assertThat(Destination.parse("https://example.com:444").toString())
        .isEqualTo("https://example.com:444");
  }

  private static void assertInvalid(String url) {
    assertThatThrownBy(() -> Destination.parse(url))
        .as(url)
        .isInstanceOf(InvalidDestinationException.class);
  }
}
