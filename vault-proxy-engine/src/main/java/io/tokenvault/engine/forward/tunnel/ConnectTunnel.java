package io.tokenvault.engine.forward.tunnel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests a tunnel from a forward proxy with {@code CONNECT} (RFC 9110, section 9.3.6), without
 * retries.
 */
final class ConnectTunnel {

  /** Largest head of the proxy's response, in bytes. */
  private static final int MAX_HEAD = 64 * 1024;

  private static final String END = "\r\n\r\n";
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([0-9]{3})[ \r]");

  private ConnectTunnel() {}

  /**
   * Opens a tunnel on a connection.
   *
   * @param proxy a socket connected to the proxy; afterwards, it is connected to the destination
   * @param destination its name, not its address, is sent to the proxy
   * @param authorization value of {@code Proxy-Authorization}; empty if the proxy needs none
   * @throws ForwardProxyException if the proxy does not open the tunnel
   * @throws SocketTimeoutException if it does not respond in time
   */
  static void open(Socket proxy, InetSocketAddress destination, Optional<String> authorization)
      throws IOException {
    try {
      String authority = destination.getHostString() + ":" + destination.getPort();
      proxy.getOutputStream().write(head(authority, authorization));
      proxy.getOutputStream().flush();
      requireGranted(readHead(proxy.getInputStream()));
    } catch (SocketTimeoutException | ForwardProxyException told) {
      throw told;
    } catch (IOException brokenOff) {
      throw ForwardProxyException.refused();
    }
  }

  /** Returns the head of the request. */
  private static byte[] head(String authority, Optional<String> authorization) {
    String credentials =
        authorization.map(value -> "Proxy-Authorization: " + value + "\r\n").orElse("");
    String head =
        "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n" + credentials + "\r\n";
    return head.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Reads the head of the response byte by byte, because the bytes after it are the destination's.
   */
  private static String readHead(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int matched = 0;
    while (matched < END.length()) {
      int next = in.read();
      if (next < 0 || head.size() == MAX_HEAD) {
        throw ForwardProxyException.refused();
      }
      head.write(next);
      matched = next == END.charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  /** Requires a successful status. */
  private static void requireGranted(String head) throws ForwardProxyException {
    Matcher status = STATUS.matcher(head);
    if (!status.lookingAt()) {
      throw ForwardProxyException.refused();
    }
    if (status.group(1).equals("407")) {
      throw ForwardProxyException.unauthenticated();
    }
    if (!status.group(1).startsWith("2")) {
      throw ForwardProxyException.refused();
    }
  }
}
