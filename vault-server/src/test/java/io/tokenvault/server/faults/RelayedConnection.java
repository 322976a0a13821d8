package io.tokenvault.server.faults;

import io.tokenvault.server.faults.PostgresRelay.Fault;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A connection of a client, and the connection to the server that the relay opens for it. */
final class RelayedConnection implements AutoCloseable {

  private static final int SSL_REQUEST_CODE = 80877103;
  private static final int GSS_REQUEST_CODE = 80877104;

  private final PostgresRelay relay;
  private final Socket client;
  private final Socket server = new Socket();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final StatementTracker statements;
  private volatile boolean dropsMessages;
  private volatile boolean dropsResponses;

  RelayedConnection(PostgresRelay relay, Socket client) {
    this.relay = relay;
    this.client = client;
    this.statements = new StatementTracker(sql -> relay.recordExecution(this, sql));
  }

  /** Relays messages until the connection ends. */
  void run(int serverPort) {
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort), 5_000);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      startDaemon(this::relayResponses);
      relayRequests();
    } catch (IOException | InterruptedException ended) {
      // Both sides are closed below.
    } finally {
      close();
    }
  }

  /** Drops everything from now on, in both directions. */
  void dropMessages() {
    dropsMessages = true;
  }

  private void relayRequests() throws IOException, InterruptedException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
    DataOutputStream out = outputTo(server);
    Optional<PostgresMessage> message = readStartup(in);
    while (message.isPresent()) {
      if (!dropsMessages) {
        forward(message.get(), out);
      }
      message = PostgresMessage.read(in);
    }
  }

  /** Declines encryption, since the relay has to read the messages that follow. */
  private Optional<PostgresMessage> readStartup(DataInputStream in) throws IOException {
    Optional<PostgresMessage> message = PostgresMessage.readFirst(in);
    while (message.isPresent() && !dropsMessages && requestsEncryption(message.get())) {
      client.getOutputStream().write('N');
      message = PostgresMessage.readFirst(in);
    }
    return message;
  }

  private static boolean requestsEncryption(PostgresMessage message) {
    int code = message.firstInt();
    return code == SSL_REQUEST_CODE || code == GSS_REQUEST_CODE;
  }

  private void forward(PostgresMessage message, DataOutputStream out)
      throws IOException, InterruptedException {
    if (message.type() != 0 && statements.commitsEntries(message)) {
      injectFault(relay.nextCommitFault());
    }
    if (message.expectsResponse()) {
      Thread.sleep(relay.delay().toMillis());
    }
    message.write(out);
    if (message.type() == 0 || message.expectsResponse() || message.type() == 'p') {
      out.flush();
    }
  }

  private void injectFault(Fault fault) throws IOException, InterruptedException {
    switch (fault) {
      case CLOSED_BEFORE_COMMIT -> throw new IOException("closed by the test");
      case CLOSED_AFTER_COMMIT -> dropsResponses = true;
      case HELD -> closed.await();
      default -> {
        // No fault.
      }
    }
  }

  private void relayResponses() {
    try {
      DataInputStream in = new DataInputStream(new BufferedInputStream(server.getInputStream()));
      DataOutputStream out = outputTo(client);
      Optional<PostgresMessage> message = PostgresMessage.read(in);
      while (message.isPresent() && !(dropsResponses && message.get().isReady())) {
        if (!dropsMessages && !dropsResponses) {
          message.get().write(out);
        }
        if (in.available() == 0) {
          out.flush();
        }
        message = PostgresMessage.read(in);
      }
    } catch (IOException ended) {
      // Both sides are closed below.
    } finally {
      if (!dropsMessages) {
        close();
      }
    }
  }

  private static DataOutputStream outputTo(Socket socket) throws IOException {
    return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
  }

  @Override
  public void close() {
    closed.countDown();
    closeQuietly(client);
    closeQuietly(server);
  }

  static void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException alreadyClosed) {
      // It needs no more cleanup.
    }
  }

  static void startDaemon(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }
}
