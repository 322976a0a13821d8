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

  private static final int ASKS_FOR_TLS = 80877103;
  private static final int ASKS_FOR_GSS = 80877104;

  private final PostgresRelay relay;
  private final Socket client;
  private final Socket server = new Socket();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final StatementTracker statements;
  private volatile boolean silent;
  private volatile boolean losesAnswer;

  RelayedConnection(PostgresRelay relay, Socket client) {
    this.relay = relay;
    this.client = client;
    this.statements = new StatementTracker(sql -> relay.note(this, sql));
  }

  /** Relays messages until the connection ends. */
  void run(int target) {
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 5_000);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      daemon(this::passAnswers);
      passRequests();
    } catch (IOException | InterruptedException ended) {
      // Both sides are closed below.
    } finally {
      close();
    }
  }

  /** Drops everything from now on, in both directions. */
  void silence() {
    silent = true;
  }

  private void passRequests() throws IOException, InterruptedException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
    DataOutputStream out = output(server);
    Optional<PostgresMessage> message = first(in);
    while (message.isPresent()) {
      if (!silent) {
        pass(message.get(), out);
      }
      message = PostgresMessage.read(in);
    }
  }

  /** Declines encryption, since the relay has to read the messages that follow. */
  private Optional<PostgresMessage> first(DataInputStream in) throws IOException {
    Optional<PostgresMessage> message = PostgresMessage.readFirst(in);
    while (message.isPresent() && !silent && asksForEncryption(message.get())) {
      client.getOutputStream().write('N');
      message = PostgresMessage.readFirst(in);
    }
    return message;
  }

  private static boolean asksForEncryption(PostgresMessage message) {
    int code = message.number();
    return code == ASKS_FOR_TLS || code == ASKS_FOR_GSS;
  }

  private void pass(PostgresMessage message, DataOutputStream out)
      throws IOException, InterruptedException {
    if (message.type() != 0 && statements.commitsEntries(message)) {
      suffer(relay.strike());
    }
    if (message.asksForAnswer()) {
      Thread.sleep(relay.delay().toMillis());
    }
    message.write(out);
    if (message.type() == 0 || message.asksForAnswer() || message.type() == 'p') {
      out.flush();
    }
  }

  private void suffer(Fault fault) throws IOException, InterruptedException {
    switch (fault) {
      case CLOSED_BEFORE_COMMIT -> throw new IOException("closed by the test");
      case CLOSED_AFTER_COMMIT -> losesAnswer = true;
      case HELD -> closed.await();
      default -> {
        // No fault.
      }
    }
  }

  private void passAnswers() {
    try {
      DataInputStream in = new DataInputStream(new BufferedInputStream(server.getInputStream()));
      DataOutputStream out = output(client);
      Optional<PostgresMessage> message = PostgresMessage.read(in);
      while (message.isPresent() && !(losesAnswer && message.get().isReady())) {
        if (!silent && !losesAnswer) {
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
      if (!silent) {
        close();
      }
    }
  }

  private static DataOutputStream output(Socket socket) throws IOException {
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
    } catch (IOException alreadyGone) {
      // It needs no more cleanup.
    }
  }

  static void daemon(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }
}
