package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where a request goes: rules 1 to 3 of proxy invocation, and what decisions.md adds to them. */
final class ProxyDestinationTest {

  private static final String INVALID = "destination-invalid";

  @RegisterExtension private static final ProxyFixture fixture = new ProxyFixture();

  @Test
  void urlHeaderSetsBaseUrl() {
    Response response = fixture.post().json("{}").send().expect(200);
    assertThat(response.text()).isEqualTo("{\"received\":true}");
    assertThat(response.header(ProxyFixture.DESTINATION_STATUS)).contains("200");
    assertThat(fixture.receivedBody()).isEqualTo("{}");
  }

  @Test
  void keyHeaderSelectsProxy() {
    fixture.caller.call("POST", "/proxy/a").through(fixture.proxy()).send().expect(200);
    assertThat(fixture.destination.received().getTarget()).isEqualTo("/a");
  }

  @Test
  void requestWithoutDestinationIsRejected() {
    fixture.refusedBeforeAnythingLeft(fixture.caller.get("/proxy/x"), 400, INVALID);
  }

  /** Nobody finds out by asking which private names there are. */
  @Test
  void loopbackNameIsReportedLikeUnresolvableName() {
    Response nothing = traced("nothing.invalid");
    fixture.refused(nothing, 502, "dns-failed");
    Response loopback = traced(HttpsDestination.REBOUND_HOST);

    assertThat(loopback.text())
        .isEqualTo(nothing.text().replace("nothing.invalid", HttpsDestination.REBOUND_HOST));
    assertThat(loopback.headers().map().keySet()).isEqualTo(nothing.headers().map().keySet());
    Eventually.holds(
        "the log has the difference",
        Duration.ofSeconds(20),
        () ->
            fixture
                .tenant
                .messages()
                .containsAll(
                    List.of(
                        "Proxy invocation ended: The destination's address is refused",
                        "Proxy invocation ended: The destination's name does not resolve to a"
                            + " permitted address")));
  }

  private Response traced(String host) {
    return fixture
        .caller
        .call("GET", "/proxy")
        .to("https://" + host)
        .header("SVC-TRACE-ID", "the-same")
        .send();
  }
}
