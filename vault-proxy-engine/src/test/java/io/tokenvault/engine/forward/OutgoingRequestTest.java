package io.tokenvault.engine.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.InvalidDestinationException;
import java.util.List;
import java.util.Optional;
import okhttp3.HttpUrl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OutgoingRequestTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "api.example.com",
        "localhost",
        "a.b-c.d--e.f0",
        "0.1x",
        "xn--mnchen-3ya.example",
        "a2345678901234567890123456789012345678901234567890123456789.example:8443"
      })
  void urlEqualsThatParsedByOkHttp(String authority) throws InvalidDestinationException {
    OutgoingRequest request =
        new OutgoingRequest(
            "GET",
            Destination.parse("https://" + authority),
            "/path",
            Optional.of("a='b'"),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    assertThat(request.url().host())
        .isEqualTo(HttpUrl.get("https://" + authority).host())
        .isEqualTo(authority.split(":")[0]);
    assertThat(request.url()).hasToString("https://" + authority + "/path?a='b'");
  }
}
