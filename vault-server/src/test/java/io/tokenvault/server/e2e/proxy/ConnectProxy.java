package io.tokenvault.server.e2e.proxy;

import io.tokenvault.server.place.Unchecked;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An operator's own proxy on the loopback interface: it opens tunnels to ports of this machine, by
 * whatever name, and remembers what passed.
 */
final class ConnectProxy implements AutoCloseable {

  private static final String END = "\r\n\r\n";
  private static final String ANSWER = "HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n";

  private final ServerSocket listener;
  private final String requiredAuthorization;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final List<String> heads = new CopyOnWriteArrayList<>();
  private final ByteArrayOutputStream passed = new ByteArrayOutputStream();

  private ConnectProxy(ServerSocket listener, String requiredAuthorization) {
    this.listener = listener;
    this.requiredAuthorization = requiredAuthorization;
    threads.execute(this::accept);
  }

  /** One that opens tunnels for those only who send this {@code Proxy-Authorization}. */
  static ConnectProxy startFor(String authorization) {
    return new ConnectProxy(plain(), authorization);
  }

  private static ServerSocket plain() {
    return Unchecked.get(() -> new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
  }

  int port() {
    return listener.getLocalPort();
  }

  /** The heads of all requests, oldest first. */
  List<String> heads() {
    return List.copyOf(heads);
  }

  /** All bytes that went from callers to destinations. */
  String passed() {
    synchronized (passed) {
      return passed.toString(StandardCharsets.ISO_8859_1);
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket caller = listener.accept();
        open.add(caller);
        threads.execute(() -> serve(caller));
      } catch (IOException closedOrCallerGone) {
        continue;
      }
    }
  }

  private void serve(Socket caller) {
    try (caller) {
      String head = head(caller.getInputStream());
      heads.add(head);
      if (!isAllowed(head)) {
        answer(caller, "407 Proxy Authentication Required");
        return;
      }
      String authority = head.split(" ", 3)[1];
      int port = Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1));
      try (Socket destination = new Socket(InetAddress.getLoopbackAddress(), port)) {
        open.add(destination);
        answer(caller, "200 Connection established");
        threads.execute(() -> pump(destination, caller, new ByteArrayOutputStream()));
        pump(caller, destination, passed);
      }
    } catch (IOException gone) {
      // Whoever is on the other side sees the connection end.
    }
  }

  private boolean isAllowed(String head) {
    return head.contains("\r\nProxy-Authorization: " + requiredAuthorization + "\r\n");
  }

  private static void answer(Socket caller, String status) throws IOException {
    String head = status.startsWith("200") ? "HTTP/1.1 " + status + END : ANSWER.formatted(status);
    caller.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    caller.getOutputStream().flush();
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf(END) < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("no whole head");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static void pump(Socket from, Socket to, ByteArrayOutputStream copy) {
    byte[] buffer = new byte[8192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        synchronized (copy) {
          copy.write(buffer, 0, count);
        }
        out.write(buffer, 0, count);
        out.flush();
      }
      to.shutdownOutput();
    } catch (IOException gone) {
      // The other direction ends too once its socket is closed.
    }
  }

  @Override
  public void close() {
    closeQuietly(listener);
    open.forEach(ConnectProxy::closeQuietly);
    threads.shutdownNow();
  }

  private static void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception alreadyGone) {
      // It is closed, one way or the other.
    }
  }
}
