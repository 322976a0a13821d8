package io.tokenvault.server.e2e;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Somebody else's server over real TLS that a test plays itself, byte for byte: it takes a request
 * when it has arrived, and reads and answers as it likes. Speaks HTTP/1.1.
 */
final class WireDestination implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 20_000;

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
      transport.setSoTimeout(PATIENCE_MILLIS);
      SSLSocket socket = (SSLSocket) tls.createSocket(transport, null, true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      String head = head(in);
      count.incrementAndGet();
      arrived.add(new Exchange(transport, socket, in, head));
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
      Exchange exchange = arrived.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
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

  /** One request, on a connection of its own. */
  static final class Exchange {

    private final Socket transport;
    private final SSLSocket socket;
    private final InputStream in;
    private final String head;

    private Exchange(Socket transport, SSLSocket socket, InputStream in, String head) {
      this.transport = transport;
      this.socket = socket;
      this.in = in;
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
        return in.readNBytes(length);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    /** Everything until the vault ends the connection; fails if it does not. */
    String untilItEnds() {
      ByteArrayOutputStream rest = new ByteArrayOutputStream();
      try {
        in.transferTo(rest);
      } catch (SocketTimeoutException silence) {
        throw new AssertionError("the vault goes on waiting", silence);
      } catch (IOException reset) {
        // An end as well.
        return rest.toString(StandardCharsets.ISO_8859_1);
      }
      return rest.toString(StandardCharsets.ISO_8859_1);
    }

    /** A byte for each character. */
    Exchange send(String text) {
      return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    Exchange send(byte[] bytes) {
      try {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
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
        socket.setSoTimeout(1);
        socket.close();
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }
}
