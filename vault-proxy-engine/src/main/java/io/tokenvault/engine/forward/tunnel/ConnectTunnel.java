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

/** Asks a forward proxy for a tunnel (RFC 9110, section 9.3.6), once. */
final class ConnectTunnel {

  private static final int MAX_HEAD = 64 * 1024;
  private static final String END = "\r\n\r\n";
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([0-9]{3})[ \r]");

  private ConnectTunnel() {}

  /**
   * @param proxy is connected to the proxy; after this, to the destination
   * @param destination whose name, not address, the proxy is told
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

  private static byte[] head(String authority, Optional<String> authorization) {
    String credentials =
        authorization.map(value -> "Proxy-Authorization: " + value + "\r\n").orElse("");
    String head =
        "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n" + credentials + "\r\n";
    return head.getBytes(StandardCharsets.US_ASCII);
  }

  /** Byte by byte, since what follows is the destination's. */
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
