package io.tokenvault.server.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.WireConnection.Rest;
import java.util.Optional;

/** Sends what no well-behaved client would, and gives what comes back, byte for byte. */
final class RawHttp {

  private RawHttp() {}

  /**
   * Sends a request and reads until the server closes.
   *
   * @param request lines; each is ended as HTTP wants it, and an empty one ends the headers
   */
  static Reply send(int port, String... request) {
    try (WireConnection connection = WireConnection.to(port)) {
      connection.send((String.join("\r\n", request) + "\r\n").getBytes(ISO_8859_1));
      Rest answer = connection.rest();
      assertThat(answer.inGoodOrder()).as("the server closes in good order").isTrue();
      return new Reply(new String(answer.text().getBytes(ISO_8859_1), UTF_8));
    }
  }

  /** The answer as text: status line, headers, body. */
  record Reply(String text) {

    int status() {
      return Integer.parseInt(text.split(" ", 3)[1]);
    }

    Optional<String> header(String name) {
      return head()
          .lines()
          .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
          .map(line -> line.substring(name.length() + 1).strip())
          .findFirst();
    }

    String head() {
      return text.split("\r\n\r\n", 2)[0];
    }

    String body() {
      return text.split("\r\n\r\n", 2)[1];
    }
  }
}
