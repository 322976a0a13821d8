package io.tokenvault.adapters.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A client connection that sends arbitrary bytes and reads HTTP responses. */
public final class RawConnection implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;

  private RawConnection(Socket socket) throws IOException {
    socket.setSoTimeout(TIMEOUT_MILLIS);
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  static RawConnection open(int port) {
    return unchecked(() -> new RawConnection(new Socket(InetAddress.getLoopbackAddress(), port)));
  }

  public static RawConnection over(Socket socket) {
    return unchecked(() -> new RawConnection(socket));
  }

  /** Sends the lines of a request head, followed by an empty line. */
  public RawConnection send(String... lines) {
    return write(String.join("\r\n", lines) + "\r\n\r\n");
  }

  /** Writes one byte for each character. */
  public RawConnection write(String text) {
    return write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public RawConnection write(byte[] bytes) {
    return unchecked(
        () -> {
          socket.getOutputStream().write(bytes);
          socket.getOutputStream().flush();
          return this;
        });
  }

  /** Writes the text repeatedly, with pauses, until the connection is closed. */
  void writeRepeatedly(String text, Duration pause) {
    Thread writer =
        new Thread(
            () -> {
              try {
                while (true) {
                  write(text);
                  UncheckedWait.sleep(pause);
                }
              } catch (UncheckedIOException closed) {
                return;
              }
            },
            "repeated writes");
    writer.setDaemon(true);
    writer.start();
  }

  /** Closes the output; responses can still be read. */
  RawConnection shutdownOutput() {
    return unchecked(
        () -> {
          socket.shutdownOutput();
          return this;
        });
  }

  /** Reads the next response, which must be complete. */
  public RawResponse readResponse() {
    return readResponse("GET");
  }

  /** Reads the next response to a request with this method; HEAD has no body. */
  public RawResponse readResponse(String method) {
    return unchecked(
        () -> {
          String head = readHead();
          return new RawResponse(head, readBody(new RawResponse(head, new byte[0]), method));
        });
  }

  /** Reads the next status line and headers. */
  String readHead() throws IOException {
    StringBuilder head = new StringBuilder();
    String line;
    while (!(line = readLine()).isEmpty()) {
      head.append(head.isEmpty() ? "" : "\n").append(line);
    }
    return head.toString();
  }

  String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next;
    while ((next = in.read()) != '\n') {
      if (next < 0) {
        throw new EOFException("the server closed after " + line.size() + " bytes of a line");
      }
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  private byte[] readBody(RawResponse head, String method) throws IOException {
    int status = head.status();
    if (method.equals("HEAD") || status < 200 || status == 204 || status == 304) {
      return new byte[0];
    }
    if (head.values("Transfer-Encoding").contains("chunked")) {
      return readChunks();
    }
    return head.values("Content-Length").isEmpty()
        ? in.readAllBytes()
        : readBytes(Integer.parseInt(head.header("Content-Length")));
  }

  private byte[] readChunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      byte[] chunk = readBytes(Integer.parseInt(readLine(), 16));
      body.writeBytes(chunk);
      readLine();
      if (chunk.length == 0) {
        return body.toByteArray();
      }
    }
  }

  byte[] readBytes(int size) throws IOException {
    byte[] bytes = in.readNBytes(size);
    if (bytes.length < size) {
      throw new EOFException("the server closed after " + bytes.length + " of " + size + " bytes");
    }
    return bytes;
  }

  /** Reads until the server closes or resets the connection. */
  String readToEnd() {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    try {
      in.transferTo(rest);
      return rest.toString(StandardCharsets.ISO_8859_1);
    } catch (SocketTimeoutException timeout) {
      throw new AssertionError("the server neither sent data nor closed the connection", timeout);
    } catch (IOException reset) {
      return rest.toString(StandardCharsets.ISO_8859_1);
    }
  }

  /** Returns whether the server resets the connection instead of closing it. */
  boolean endsWithReset() {
    try {
      in.transferTo(OutputStream.nullOutputStream());
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  private interface IoOperation<T> {
    T run() throws IOException;
  }

  private static <T> T unchecked(IoOperation<T> operation) {
    try {
      return operation.run();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() {
    unchecked(
        () -> {
          socket.close();
          return socket;
        });
  }
}
