package io.tokenvault.server.e2e;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocketFactory;

/**
 * Somebody else's server over real TLS that a test plays itself, byte for byte: it takes a request
 * when it has arrived, and reads and answers as it likes. Speaks HTTP/1.1.
 */
final class WireDestination implements AutoCloseable {

  private final SSLSocketFactory tls = HttpsDestination.trustedTls().getSocketFactory();
  private final ServerSocket server;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Exchange> arrived = new LinkedBlockingQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  WireDestination() {
    try {
      server = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    start(this::acceptAll);
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "wire-destination");
    thread.setDaemon(true);
    thread.start();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket socket = server.accept();
        open.add(socket);
        start(() -> readHead(socket));
      }
    } catch (IOException closed) {
      // No more than these.
      return;
    }
  }

  private void readHead(Socket transport) {
    try {
      transport.setTcpNoDelay(true);
      transport.setSoTimeout(WireConnection.PATIENCE_MILLIS);
      WireConnection connection = new WireConnection(tls.createSocket(transport, null, true));
      String head = head(connection.in());
      count.incrementAndGet();
      arrived.add(new Exchange(transport, connection, head));
    } catch (IOException noRequest) {
      // The vault has thought better of it.
      return;
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("no whole head");
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.ISO_8859_1).strip();
  }

  String url() {
    return "https://" + HttpsDestination.HOST + ":" + server.getLocalPort();
  }

  /** How many requests arrived so far. */
  int count() {
    return count.get();
  }

  /** The oldest request whose head has arrived and that was not taken yet; waits for one. */
  Exchange take() {
    try {
      Exchange exchange = arrived.poll(WireConnection.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      if (exchange == null) {
        throw new AssertionError("nothing reached the destination");
      }
      return exchange;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /**
   * One request, on a connection of its own. It lasts as long as it is referenced: the JDK closes a
   * TLS socket that nobody has any more.
   */
  static final class Exchange {

    private final Socket transport;
    private final WireConnection connection;
    private final String head;

    private Exchange(Socket transport, WireConnection connection, String head) {
      this.transport = transport;
      this.connection = connection;
      this.head = head;
    }

    String requestLine() {
      return head.lines().findFirst().orElseThrow();
    }

    /** The header lines that say how long the body is, in lower case. */
    List<String> framing() {
      return head.lines()
          .map(line -> line.toLowerCase(Locale.ROOT))
          .filter(line -> line.startsWith("content-length:") || line.startsWith("transfer-"))
          .toList();
    }

    boolean hasHeader(String name) {
      return head.lines()
          .anyMatch(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1));
    }

    /** So many bytes after the head, framing included, as soon as they are there. */
    byte[] read(int length) {
      try {
        return connection.in().readNBytes(length);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    /** Everything until the vault ends the connection; fails if it does not. */
    String untilItEnds() {
      return connection.rest().text();
    }

    /** A byte for each character. */
    Exchange send(String text) {
      return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    Exchange send(byte[] bytes) {
      connection.send(bytes);
      return this;
    }

    /** Ends the connection as one would who cuts it between the two: TLS itself does not end. */
    void breakOff() {
      try {
        transport.shutdownOutput();
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    /** Ends the connection in good order, without waiting until the vault does so too. */
    void close() {
      try {
        connection.socket().setSoTimeout(1);
        connection.close();
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }
}
