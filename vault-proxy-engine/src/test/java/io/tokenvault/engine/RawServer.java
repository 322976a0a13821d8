package io.tokenvault.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A TCP server that handles each connection in a separate thread. */
abstract class RawServer implements AutoCloseable {

  private final ServerSocket server;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();

  RawServer(ServerSocket server) {
    this.server = server;
  }

  /** Handles one connection, which is closed afterwards. */
  abstract void converse(Socket socket) throws IOException, InterruptedException;

  public int port() {
    return server.getLocalPort();
  }

  public int connections() {
    return connections.get();
  }

  /** Closes this socket together with the connections. */
  void keep(Socket socket) {
    open.add(socket);
  }

  void start() {
    start(this::acceptAll);
  }

  static void start(Runnable task) {
    Thread thread = new Thread(task, "raw-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket socket = server.accept();
        connections.incrementAndGet();
        socket.setTcpNoDelay(true);
        keep(socket);
        start(() -> serve(socket));
      }
    } catch (IOException closed) {
      return;
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      converse(socket);
    } catch (IOException | InterruptedException | UncheckedIOException ended) {
      return;
    }
  }

  /** Reads the head of an HTTP message and returns it without the empty line. */
  static String readHead(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
      head.write(next(in));
    }
    String text = head.toString(StandardCharsets.UTF_8);
    return text.substring(0, text.length() - 4);
  }

  static int next(InputStream in) throws IOException {
    int each = in.read();
    if (each < 0) {
      throw new IOException("connection closed by peer");
    }
    return each;
  }

  /** Closes all connections but continues to accept new ones. */
  public void dropConnections() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    open.clear();
  }

  @Override
  public void close() throws IOException {
    server.close();
    dropConnections();
  }
}
