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
  private final AtomicInteger spared = new AtomicInteger();
  private final AtomicInteger hits = new AtomicInteger();
  private volatile int target;
  private volatile Fault fault = Fault.NONE;
  private volatile boolean silent;
  private volatile Duration delay = Duration.ZERO;
  private volatile Queue<Execution> noted;

  private PostgresRelay(int target, ServerSocket listener) {
    this.target = target;
    this.listener = listener;
  }

  /** Starts a relay to a port of the loopback interface. */
  public static PostgresRelay to(int port) {
    try {
      PostgresRelay relay =
          new PostgresRelay(port, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      RelayedConnection.daemon(relay::accept);
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
    return jdbcUrl.replaceFirst(":" + target + "/", ":" + port() + "/");
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
    noted = executions;
    try {
      work.run();
    } finally {
      noted = null;
    }
    return List.copyOf(executions);
  }

  void note(Object connection, String sql) {
    Queue<Execution> executions = noted;
    if (executions != null) {
      executions.add(new Execution(connection, sql));
    }
  }

  /** Makes commits of entries fail; connections that are already held stay so. */
  public void fail(Fault kind) {
    failAfter(0, kind);
  }

  /**
   * Makes commits of entries fail after some have succeeded.
   *
   * @param passing the number of commits that succeed first
   */
  public void failAfter(int passing, Fault kind) {
    hits.set(0);
    spared.set(passing);
    fault = kind;
  }

  /** Returns the number of commits that failed since the fault was set. */
  public int hits() {
    return hits.get();
  }

  /** Returns the fault of the next commit of entries. */
  Fault strike() {
    if (fault == Fault.NONE || spared.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      return Fault.NONE;
    }
    hits.incrementAndGet();
    return fault;
  }

  /**
   * Drops everything sent in both directions: permanently on existing connections, and until {@link
   * #restore} on new ones.
   */
  public void cut() {
    silent = true;
    connections.forEach(RelayedConnection::silence);
  }

  public void restore() {
    silent = false;
  }

  /** Sets the delay of each request of a client. */
  public void delay(Duration each) {
    delay = each;
  }

  Duration delay() {
    return delay;
  }

  /** Closes all connections and relays new ones to another server. */
  public void redirect(int port) {
    target = port;
    connections.forEach(RelayedConnection::close);
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        RelayedConnection connection = new RelayedConnection(this, client);
        connections.add(connection);
        if (silent) {
          connection.silence();
        }
        RelayedConnection.daemon(() -> serve(connection));
      }
    } catch (IOException ended) {
      connections.forEach(RelayedConnection::close);
    }
  }

  private void serve(RelayedConnection connection) {
    try {
      connection.run(target);
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
