package io.tokenvault.server.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port of the loopback interface at which nobody listens, nor can until this is closed. */
final class ClosedPort implements AutoCloseable {

  private final Socket holder = new Socket();

  ClosedPort() {
    try {
      holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  int number() {
    return holder.getLocalPort();
  }

  /** As a destination. */
  String url() {
    return "https://" + HttpsDestination.HOST + ":" + number();
  }

  @Override
  public void close() {
    try {
      holder.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
