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
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();

  RawServer(ServerSocket server) {
    this.server = server;
  }

  /** Handles one connection, which is closed afterwards. */
  abstract void handle(Socket socket) throws IOException, InterruptedException;

  public int port() {
    return server.getLocalPort();
  }

  public int connections() {
    return connections.get();
  }

  /** Registers a socket that is closed together with the connections. */
  void registerSocket(Socket socket) {
    sockets.add(socket);
  }

  void start() {
    startThread(this::acceptAll);
  }

  static void startThread(Runnable task) {
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
        registerSocket(socket);
        startThread(() -> serve(socket));
      }
    } catch (IOException closed) {
      return;
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      handle(socket);
    } catch (IOException | InterruptedException | UncheckedIOException ended) {
      return;
    }
  }

  /** Reads the head of an HTTP message and returns it without the empty line. */
  static String readHead(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
      head.write(readByte(in));
    }
    String text = head.toString(StandardCharsets.UTF_8);
    return text.substring(0, text.length() - 4);
  }

  static int readByte(InputStream in) throws IOException {
    int value = in.read();
    if (value < 0) {
      throw new IOException("connection closed by peer");
    }
    return value;
  }

  /** Closes all connections but continues to accept new ones. */
  public void dropConnections() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  @Override
  public void close() throws IOException {
    server.close();
    dropConnections();
  }
}
