package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What follows {@code /proxy}, and header values, as they are sent and after replacement. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostilePathsTest {

  private static final String INVALID = "destination-invalid";

  @AutoClose private final ProxyFixture fixture = new ProxyFixture(HttpsDestination.startHttp1());

  private void refused(String type, String pathAndQuery, String... headers) {
    int before = fixture.destination.count();
    fixture.refused(fixture.raw("GET", pathAndQuery, headers), 400, type);
    assertThat(fixture.destination.count()).as("requests at the destination").isEqualTo(before);
  }

  private String target(String pathAndQuery, String... headers) {
    fixture.raw("GET", pathAndQuery, headers).expect(200);
    return fixture.destination.received().getTarget();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/..",
        "/a/..?b=/..",
        "/%2E%2e",
        "/%25%32%65./a",
        "/a%252f../b",
        "/a\\..\\b",
        "/..;a=b/c",
        "/..%0d%0a/a",
        "/%c0%ae%c0%ae/a"
      })
  void dotSegmentsAreRefusedInAnyEncoding(String path) {
    refused(INVALID, path);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "/..a/a../.a/a. /..a/a../.a/a.",
        "/a\\b /a%5Cb",
        "/?a=%0d%0aX:%20y%00 /?a=%0d%0aX:%20y%00",
        "//shipping.test/a //shipping.test/a",
        "/:443@shipping.test /:443@shipping.test"
      })
  void harmlessLookalikePathPasses(String sent, String expected) {
    assertThat(target(sent)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {".. /a/{}/b", ". /%252e{}", "%2e%2e /{}", "../ /{}", "..;a /{}"})
  void dataFormingDotSegmentIsRejected(String data, String path) {
    String token = fixture.token(data);

    refused(INVALID, path.replace("{}", "{{" + token + "}}"));
  }

  @Test
  void emptyDataLeavingDotSegmentIsRejected() {
    String token = fixture.token("");

    for (String path : new String[] {"/.{{T}}", "/{{T}}..", "/.{{T}}.", "/a/%2e%7b%7bT%7d%7d/b"}) {
      refused(INVALID, path.replace("T", token));
    }
  }

  @Test
  void dataStaysInItsSegmentAndItsValueWhateverItIs() {
    String token = fixture.token("a/b?c=d&e#f\r\nHost: x\t%0d%0a @\\;\u2028\ud83d\ude00");
    String encoded =
        "a%2Fb%3Fc%3Dd%26e%23f%0D%0AHost%3A%20x%09%250d%250a%20%40%5C%3B%E2%80%A8%F0%9F%98%80";

    assertThat(target("/x{{" + token + "}}/y?q={{" + token + "}}&{{" + token + "}}=z"))
        .isEqualTo("/x" + encoded + "/y?q=" + encoded + "&" + encoded + "=z");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nX-Evil: 1", "a\nb", "a\rb"})
  void dataWithALineBreakIsNoHeaderValue(String data) {
    String token = fixture.token(data);

    refused("validation-failed", "/", "X-Token: {{" + token + "}}");
    refused("validation-failed", "/", "X-Token: a {{" + token + "}} b");
  }

  @Test
  void filterOutputIsChecked() {
    String breaking = fixture.token("a%0D%0AX-Evil: 1");
    String ending = fixture.token("a%00b");
    String climbing = fixture.token("%2E%2E");

    refused("validation-failed", "/", "X-Token: {{" + breaking + " | url_decode }}");
    refused("validation-failed", "/", "X-Token: {{" + ending + " | url_decode }}");
    refused(INVALID, "/a/{{" + climbing + "%20|%20url_decode}}");
    assertThat(target("/{{" + breaking + "|url_decode}}?q={{" + ending + "|url_decode}}"))
        .isEqualTo("/a%0D%0AX-Evil%3A%201?q=a%00b");
  }
}
