package io.tokenvault.server.process;

import java.util.Map;

/** A server of several on one database. It comes back under the same URL. */
abstract class Node {

  final Map<String, String> settings;

  private Node(Map<String, String> settings) {
    this.settings = Map.copyOf(settings);
  }

  /** With connections and caches of its own in this JVM: starts sooner than a process. */
  static Node inThisJvm(Map<String, String> settings) {
    return new Local(settings);
  }

  static Node process(Map<String, String> settings) {
    return new Separate(settings);
  }

  String url() {
    return "http://127.0.0.1:" + settings.get("VAULT_PORT");
  }

  String name() {
    return "node" + settings.get("VAULT_PORT");
  }

  /** Returns once it listens. */
  abstract void start();

  /** As SIGTERM does; returns once it is over. */
  abstract void stop();

  /** {@code kill -9}; for processes. */
  abstract void kill();

  /** Whether it is the one at the near end of a connection from this port, and a process. */
  abstract boolean holds(int port);

  @Override
  public String toString() {
    return url();
  }

  private static final class Local extends Node {

    private LocalServer server;

    Local(Map<String, String> settings) {
      super(settings);
    }

    @Override
    void start() {
      server = LocalServer.serve(settings);
    }

    @Override
    void stop() {
      if (server != null) {
        server.close();
        server = null;
      }
    }

    @Override
    void kill() {
      throw new UnsupportedOperationException("the test would die with it");
    }

    @Override
    boolean holds(int port) {
      return false;
    }
  }

  private static final class Separate extends Node {

    private VaultProcess process;

    Separate(Map<String, String> settings) {
      super(settings);
    }

    @Override
    void start() {
      process = VaultProcess.serve(settings);
    }

    @Override
    void stop() {
      if (process != null) {
        process.close();
        process = null;
      }
    }

    @Override
    void kill() {
      process.kill();
      process = null;
    }

    @Override
    boolean holds(int port) {
      return process != null && Sockets.areHeldBy(process.pid(), port);
    }
  }
}
