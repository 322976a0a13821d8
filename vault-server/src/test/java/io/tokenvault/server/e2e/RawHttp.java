package io.tokenvault.server.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Sends what no well-behaved client would, and gives what comes back, byte for byte. */
final class RawHttp {

  private static final int PATIENCE_MILLIS = 20_000;

  private RawHttp() {}

  /**
   * Sends a request and reads until the server closes.
   *
   * @param request lines; each is ended as HTTP wants it, and an empty one ends the headers
   */
  static Reply send(int port, String... request) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket
          .getOutputStream()
          .write((String.join("\r\n", request) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
      return new Reply(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
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
