package io.tokenvault.server.e2e;

import io.tokenvault.server.e2e.WireConnection.Rest;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One exchange byte for byte: for what HTTP clients do not send, or do not show. */
final class Wire implements AutoCloseable {

  private final String request;
  private final WireConnection connection;
  private final InputStream in;

  /**
   * @param lines of the request's head, without the empty one at its end
   */
  Wire(RunningVault vault, String... lines) {
    this(vault.port(), lines);
  }

  Wire(int port, String... lines) {
    this.request = lines[0];
    this.connection = WireConnection.to(port);
    this.in = connection.in();
    send(String.join("\r\n", lines) + "\r\n\r\n");
  }

  /** A whole request without a body, and its answer; the connection is closed after it. */
  static Answer exchange(RunningVault vault, String... lines) {
    List<String> closing = new ArrayList<>(List.of(lines));
    closing.add("Host: vault.test");
    if (closing.stream().noneMatch(line -> line.startsWith("Connection:"))) {
      closing.add("Connection: close");
    }
    try (Wire wire = new Wire(vault, closing.toArray(String[]::new))) {
      return wire.answer();
    }
  }

  Wire send(String text) {
    return send(text.getBytes(StandardCharsets.UTF_8));
  }

  Wire send(byte[] bytes) {
    connection.send(bytes);
    return this;
  }

  /** The answer to its end. */
  Answer answer() {
    try {
      Answer head = head();
      return new Answer(head.request(), head.status(), head.headers(), body(head));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Status and headers of the answer; its body is still to be read. */
  Answer head() {
    try {
      int status = Integer.parseInt(line().split(" ", 3)[1]);
      Map<String, List<String>> headers = new LinkedHashMap<>();
      for (String line = line(); !line.isEmpty(); line = line()) {
        int colon = line.indexOf(':');
        headers
            .computeIfAbsent(line.substring(0, colon), unused -> new ArrayList<>())
            .add(line.substring(colon + 1).strip());
      }
      return new Answer(
          request, status, HttpHeaders.of(headers, (name, value) -> true), new byte[0]);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Some bytes of the answer, framing included, as soon as they are there. */
  String more() {
    byte[] buffer = new byte[1024];
    try {
      int count = in.read(buffer);
      return count < 0 ? "" : new String(buffer, 0, count, StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Everything until the server ends the connection, framing included. */
  Rest rest() {
    return connection.rest();
  }

  /** Sends nothing more, and still reads. */
  Wire endOutput() {
    try {
      connection.socket().shutdownOutput();
      return this;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private byte[] body(Answer head) throws IOException {
    if (request.startsWith("HEAD ") || head.status() == 204 || head.status() == 304) {
      return new byte[0];
    }
    if (head.header("Transfer-Encoding").isPresent()) {
      return chunks();
    }
    var length = head.header("Content-Length");
    return length.isPresent() ? exactly(Integer.parseInt(length.get())) : in.readAllBytes();
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      body.write(exactly(size));
      line();
    }
    return body.toByteArray();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line().split(";", 2)[0].strip(), 16);
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the answer broke off");
    }
    return bytes;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the answer broke off");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.ISO_8859_1).strip();
  }

  @Override
  public void close() {
    connection.close();
  }
}
