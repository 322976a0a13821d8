package io.tokenvault.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;

/** A forward proxy that records its requests and opens every tunnel to the same loopback port. */
public final class RawForwardProxy extends RawServer {

  static final String TUNNEL_ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

  private final int target;
  private final List<String> requestHeads = new CopyOnWriteArrayList<>();
  private final AtomicInteger tunnels = new AtomicInteger();
  private volatile String response = TUNNEL_ESTABLISHED;

  /**
   * @param tls for connections to the proxy itself; empty for plain text
   */
  public RawForwardProxy(Optional<SSLContext> tls, int target) throws IOException {
    super(
        tls.<ServerSocketFactory>map(SSLContext::getServerSocketFactory)
            .orElseGet(ServerSocketFactory::getDefault)
            .createServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    this.target = target;
    start();
  }

  /** Sets a response that is sent instead of opening tunnels, before the connection is closed. */
  public void respondWith(String text) {
    response = text;
  }

  /** Returns the heads of all requests, in order. */
  public List<String> requestHeads() {
    return requestHeads;
  }

  @Override
  void handle(Socket client) throws IOException {
    requestHeads.add(readHead(client.getInputStream()) + "\r\n\r\n");
    client.getOutputStream().write(response.getBytes(StandardCharsets.US_ASCII));
    client.getOutputStream().flush();
    if (response.equals(TUNNEL_ESTABLISHED)) {
      tunnel(client);
    }
  }

  private void tunnel(Socket client) throws IOException {
    try (Socket destination = new Socket(InetAddress.getLoopbackAddress(), target)) {
      registerSocket(destination);
      tunnels.incrementAndGet();
      startThread(
          () -> {
            copy(destination, client);
            tunnels.decrementAndGet();
          });
      copy(client, destination);
    }
  }

  /** Waits until all tunnels are closed on the client's side as well. */
  public void awaitTunnelsClosed() throws InterruptedException {
    for (int i = 0; tunnels.get() > 0 && i < 1_000; i++) {
      Thread.sleep(10);
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[8192];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        out.write(buffer, 0, count);
        out.flush();
      }
    } catch (IOException ended) {
      return;
    }
  }
}
