package io.tokenvault.adapters.jdbi;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Relays bytes between clients and a server on this machine until it is closed or frozen. */
public final class TcpRelay implements AutoCloseable {

  private final int target;
  private final Duration delay;
  private final ServerSocket listener;
  private final List<Closeable> open = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean frozen;

  private TcpRelay(int target, Duration delay, ServerSocket listener) {
    this.target = target;
    this.delay = delay;
    this.listener = listener;
  }

  public static TcpRelay to(int port) {
    return to(port, Duration.ZERO);
  }

  /** Starts a relay that delays the first bytes of each connection. */
  static TcpRelay to(int port, Duration delay) {
    try {
      TcpRelay relay =
          new TcpRelay(port, delay, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      start(relay::accept);
      return relay;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Stops relaying, while connections stay open and new ones are accepted. */
  void freeze() {
    frozen = true;
  }

  /** Closes all connections and accepts no new ones. */
  @Override
  public void close() {
    closed.countDown();
    closeQuietly(listener);
    open.forEach(TcpRelay::closeQuietly);
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(client);
        open.add(server);
        start(() -> pass(client, server));
        start(() -> pass(server, client));
      }
    } catch (IOException ended) {
      close();
    }
  }

  private void pass(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      Thread.sleep(delay.toMillis());
      byte[] buffer = new byte[8192];
      int length = in.read(buffer);
      while (length >= 0) {
        waitWhileFrozen();
        out.write(buffer, 0, length);
        length = in.read(buffer);
      }
    } catch (IOException | InterruptedException ended) {
      closeQuietly(from);
    } finally {
      closeQuietly(to);
    }
  }

  private void waitWhileFrozen() throws InterruptedException {
    if (frozen) {
      closed.await();
    }
  }

  private static void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException alreadyGone) {
      // It is closed.
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }
}
