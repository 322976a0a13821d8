package io.tokenvault.server.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * Allocates ports for servers that are started later or restarted on the same port. They are below
 * the ephemeral ports, and each JVM of the build has its own range, so that no other program takes
 * them.
 */
public final class Ports {

  private static final int LOWEST_PORT = 20_000;
  private static final int PORTS_PER_JVM = 1_000;
  private static final int MAX_JVMS = 12;
  private static final int FIRST_PORT = LOWEST_PORT + Fork.NUMBER % MAX_JVMS * PORTS_PER_JVM;

  private static int next = new SecureRandom().nextInt(PORTS_PER_JVM);

  private Ports() {}

  /** Returns distinct ports that are free on the loopback interface. */
  public static synchronized List<Integer> free(int count) {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < PORTS_PER_JVM && ports.size() < count; i++) {
      int port = FIRST_PORT + next;
      next = (next + 1) % PORTS_PER_JVM;
      if (isFree(port)) {
        ports.add(port);
      }
    }
    if (ports.size() < count) {
      throw new IllegalStateException("too few free ports, starting at " + FIRST_PORT);
    }
    return ports;
  }

  /** Returns whether a server accepts connections on this port of the loopback interface. */
  public static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (BindException taken) {
      return false;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
