package io.tokenvault.server.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A relay between clients and a local PostgreSQL server that injects faults. */
public final class PostgresRelay implements AutoCloseable {

  /** A fault of commits of audit entries. */
  public enum Fault {
    NONE,
    /** Closes the connection before the server receives the commit. */
    CLOSED_BEFORE_COMMIT,
    /** Closes the connection after the commit, before the response is relayed. */
    CLOSED_AFTER_COMMIT,
    /** Stops relaying and keeps the connection open. */
    HELD
  }

  private final ServerSocket listener;
  private final List<RelayedConnection> connections = new CopyOnWriteArrayList<>();
  private final AtomicInteger remainingCommits = new AtomicInteger();
  private volatile int serverPort;
  private volatile Fault fault = Fault.NONE;
  private volatile boolean dropsMessages;
  private volatile Duration delay = Duration.ZERO;
  private volatile Queue<Execution> recordedExecutions;

  private PostgresRelay(int serverPort, ServerSocket listener) {
    this.serverPort = serverPort;
    this.listener = listener;
  }

  /** Starts a relay to a port of the loopback interface. */
  public static PostgresRelay to(int port) {
    try {
      PostgresRelay relay =
          new PostgresRelay(port, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      RelayedConnection.startDaemon(relay::accept);
      return relay;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Returns the JDBC URL with the port of this relay. */
  public String through(String jdbcUrl) {
    return jdbcUrl.replaceFirst(":" + serverPort + "/", ":" + port() + "/");
  }

  /**
   * A statement that a client executed.
   *
   * @param connection identifies the connection
   */
  public record Execution(Object connection, String sql) {}

  /** Runs an action and returns the statements that clients executed during it. */
  public List<Execution> executedDuring(Runnable work) {
    Queue<Execution> executions = new ConcurrentLinkedQueue<>();
    recordedExecutions = executions;
    try {
      work.run();
    } finally {
      recordedExecutions = null;
    }
    return List.copyOf(executions);
  }

  void recordExecution(Object connection, String sql) {
    Queue<Execution> executions = recordedExecutions;
    if (executions != null) {
      executions.add(new Execution(connection, sql));
    }
  }

  /** Makes commits of entries fail; connections that are already held stay so. */
  public void fail(Fault nextFault) {
    failAfter(0, nextFault);
  }

  /**
   * Makes commits of entries fail after some have succeeded.
   *
   * @param commits the number of commits that succeed first
   */
  public void failAfter(int commits, Fault nextFault) {
    remainingCommits.set(commits);
    fault = nextFault;
  }

  /** Returns the fault of the next commit of entries. */
  Fault nextCommitFault() {
    boolean passes =
        fault == Fault.NONE || remainingCommits.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    return passes ? Fault.NONE : fault;
  }

  /**
   * Drops everything sent in both directions: permanently on existing connections, and until {@link
   * #restore} on new ones.
   */
  public void cut() {
    dropsMessages = true;
    connections.forEach(RelayedConnection::dropMessages);
  }

  public void restore() {
    dropsMessages = false;
  }

  /** Sets the delay of each request of a client. */
  public void setDelay(Duration newDelay) {
    delay = newDelay;
  }

  Duration delay() {
    return delay;
  }

  /** Closes all connections and relays new ones to another server. */
  public void redirect(int port) {
    serverPort = port;
    connections.forEach(RelayedConnection::close);
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        RelayedConnection connection = new RelayedConnection(this, client);
        connections.add(connection);
        if (dropsMessages) {
          connection.dropMessages();
        }
        RelayedConnection.startDaemon(() -> serve(connection));
      }
    } catch (IOException closed) {
      connections.forEach(RelayedConnection::close);
    }
  }

  private void serve(RelayedConnection connection) {
    try {
      connection.run(serverPort);
    } finally {
      connections.remove(connection);
    }
  }

  /** Closes all connections and accepts no more. */
  @Override
  public void close() {
    RelayedConnection.closeQuietly(listener);
    connections.forEach(RelayedConnection::close);
  }
}
