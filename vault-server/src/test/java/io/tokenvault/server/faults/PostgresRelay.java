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

/**
 * Passes the messages between clients and a PostgreSQL server on this machine, and does to them
 * what networks and servers do when they fail.
 */
public final class PostgresRelay implements AutoCloseable {

  /** What happens where entries of the log are committed. */
  public enum Fault {
    NONE,
    /** The connection ends, and the server never hears of it. */
    CLOSED_BEFORE_COMMIT,
    /** The server has committed, and the connection ends before its answer arrives. */
    CLOSED_AFTER_COMMIT,
    /** Nothing is passed on any more, and the connection stays open. */
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

  /** Starts one to a port of the loopback interface. */
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

  /** The same JDBC URL by way of this relay. */
  public String through(String jdbcUrl) {
    return jdbcUrl.replaceFirst(":" + target + "/", ":" + port() + "/");
  }

  /**
   * A statement that was executed.
   *
   * @param connection which one, to tell them apart
   */
  public record Execution(Object connection, String sql) {}

  /** What the clients have executed meanwhile. */
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

  /** From now on commits of entries fail so; what is held already stays held. */
  public void fail(Fault kind) {
    failAfter(0, kind);
  }

  /**
   * The same, but some of them pass before.
   *
   * @param passing how many
   */
  public void failAfter(int passing, Fault kind) {
    hits.set(0);
    spared.set(passing);
    fault = kind;
  }

  /** How many commits the fault has struck since it was set. */
  public int hits() {
    return hits.get();
  }

  /** What to do with the next commit of entries. */
  Fault strike() {
    if (fault == Fault.NONE || spared.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      return Fault.NONE;
    }
    hits.incrementAndGet();
    return fault;
  }

  /**
   * Drops what is sent either way, from now on and for good on these connections; new ones hear
   * nothing until {@link #restore}.
   */
  public void cut() {
    silent = true;
    connections.forEach(RelayedConnection::silence);
  }

  public void restore() {
    silent = false;
  }

  /** How much later than it was sent each request of a client arrives. */
  public void delay(Duration each) {
    delay = each;
  }

  Duration delay() {
    return delay;
  }

  /** New connections lead to another server; all that exist end. */
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

  /** Ends all connections; none can be made any more. */
  @Override
  public void close() {
    RelayedConnection.closeQuietly(listener);
    connections.forEach(RelayedConnection::close);
  }
}
