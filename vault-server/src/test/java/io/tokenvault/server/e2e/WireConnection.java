package io.tokenvault.server.e2e;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** One end of a connection, byte for byte. It waits for the other end, but not for ever. */
final class WireConnection implements AutoCloseable {

  static final int PATIENCE_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;

  WireConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /** To something on this machine. */
  static WireConnection to(int port) {
    try {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(PATIENCE_MILLIS);
      return new WireConnection(socket);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  Socket socket() {
    return socket;
  }

  /** What comes from the other end. */
  InputStream in() {
    return in;
  }

  void send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Everything until the other end ends the connection; fails if it does not. */
  Rest rest() {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    try {
      in.transferTo(rest);
      return new Rest(rest.toString(StandardCharsets.ISO_8859_1), true);
    } catch (SocketTimeoutException silence) {
      throw new AssertionError("the other end neither sends nor ends", silence);
    } catch (IOException reset) {
      return new Rest(rest.toString(StandardCharsets.ISO_8859_1), false);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /**
   * What came until the end.
   *
   * @param text a character for each byte
   * @param inGoodOrder false after a reset
   */
  record Rest(String text, boolean inGoodOrder) {}
}
