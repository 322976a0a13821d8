package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.exchange.TraceId;
import io.tokenvault.ports.api.ServiceHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;

/**
 * Creates HTTP/1.1 connections that limit the time for a request's head, and know of an unreadable
 * request whether it was meant for the proxy and which headers it had.
 *
 * <p>A caller that sends the head in pieces small enough to avoid the idle timeout receives status
 * 408 when the time is over. Jetty discards a request line that it cannot parse, but errors of the
 * proxy have a format of their own, so the parser inspects the line first.
 */
final class HttpConnections extends HttpConnectionFactory {

  /** The number of bytes that are inspected to recognize the path of the proxy. */
  private static final int LOOK_AHEAD = 64;

  private static final Pattern FOR_PROXY =
      Pattern.compile("\\s*\\S+ /proxy(?:[/?# ].*)?", Pattern.DOTALL);

  private final long headNanos;

  /**
   * Creates the factory.
   *
   * @param http the configuration of all connections
   * @param headTimeout how long the head of a request may take, from its first byte
   */
  HttpConnections(HttpConfiguration http, Duration headTimeout) {
    super(http);
    this.headNanos = headTimeout.toNanos();
  }

  /** Returns whether the last request on the connection of this request was sent to the proxy. */
  static boolean lastWasForProxy(Request request) {
    return request.getConnectionMetaData().getConnection() instanceof EdgeConnection connection
        && connection.getParser() instanceof InspectingParser parser
        && parser.forProxy;
  }

  /**
   * Sets the trace id of a request that Jetty could not parse, if its header was received. Jetty
   * discards all headers of such a request.
   */
  static void restoreTraceId(Request request, ServiceHeaders headers) {
    if (request.getConnectionMetaData().getConnection() instanceof EdgeConnection connection
        && connection.getParser() instanceof InspectingParser parser) {
      String prefix = headers.traceId() + ":";
      parser
          .unparsed
          .lines()
          .filter(line -> line.regionMatches(true, 0, prefix, 0, prefix.length()))
          .findFirst()
          .map(line -> line.substring(prefix.length()).strip())
          .ifPresent(sent -> TraceId.restore(request, sent));
    }
  }

  @Override
  public Connection newConnection(Connector connector, EndPoint endPoint) {
    HttpConnection connection =
        new EdgeConnection(getHttpConfiguration(), connector, endPoint, headNanos);
    connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
    return configure(connection, connector, endPoint);
  }

  /** A connection whose parser inspects requests. */
  private static final class EdgeConnection extends HttpConnection {

    // The superclass constructor calls the methods below, which set both fields.
    private RequestHandler handler;
    private InspectingParser parser;

    EdgeConnection(HttpConfiguration http, Connector connector, EndPoint endPoint, long headNanos) {
      super(http, connector, endPoint);
      parser.headNanos = headNanos;
    }

    @Override
    protected RequestHandler newRequestHandler() {
      handler = super.newRequestHandler();
      return handler;
    }

    @Override
    protected HttpParser newHttpParser(HttpCompliance compliance) {
      HttpConfiguration http = getHttpConfiguration();
      parser = new InspectingParser(handler, http.getRequestHeaderSize(), compliance);
      parser.setHeaderCacheSize(http.getHeaderCacheSize());
      // Otherwise Jetty replaces values by known ones in another case, such as that of a charset.
      parser.setHeaderCacheCaseSensitive(true);
      return parser;
    }
  }

  /** A parser that inspects the start of each request and limits the time for its head. */
  private static final class InspectingParser extends HttpParser {

    private boolean forProxy;
    private ByteBuffer received = BufferUtil.EMPTY_BUFFER;
    private int start;
    // The head of a request that cannot be parsed, as far as it was received.
    private String unparsed = "";
    private long headNanos = Long.MAX_VALUE;
    private boolean begun;
    private long beginning;

    InspectingParser(RequestHandler handler, int maxHeaderBytes, HttpCompliance compliance) {
      super(handler, maxHeaderBytes, compliance);
    }

    @Override
    public boolean parseNext(ByteBuffer buffer) {
      // Jetty clears its buffer before it reports an error.
      received = buffer.duplicate();
      try {
        return parse(buffer);
      } finally {
        // The buffer returns to Jetty's pool, and an idle connection must not retain it.
        received = BufferUtil.EMPTY_BUFFER;
      }
    }

    private boolean parse(ByteBuffer buffer) {
      if (isTooLate(buffer)) {
        BufferUtil.clear(buffer);
        badMessage(new HttpException.RuntimeException(HttpStatus.REQUEST_TIMEOUT_408));
        return false;
      }
      if (isStart() && buffer.hasRemaining()) {
        start = buffer.position();
        forProxy = FOR_PROXY.matcher(text(buffer, start, LOOK_AHEAD)).matches();
      }
      return super.parseNext(buffer);
    }

    private static String text(ByteBuffer buffer, int from, int most) {
      byte[] bytes = new byte[Math.min(most, buffer.limit() - from)];
      buffer.get(from, bytes);
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Override
    protected void badMessage(HttpException failure) {
      unparsed = text(received, Math.min(start, received.position()), received.limit());
      super.badMessage(failure);
    }

    /**
     * Returns whether the head is still incomplete when its time is over. The time starts with the
     * first byte.
     */
    private boolean isTooLate(ByteBuffer buffer) {
      if (!inHeaderState() || !buffer.hasRemaining()) {
        return false;
      }
      if (!begun) {
        begun = true;
        beginning = System.nanoTime();
      }
      return System.nanoTime() - beginning > headNanos;
    }

    /** Restarts the time limit, since the next request on the connection has its own. */
    @Override
    public void reset() {
      super.reset();
      begun = false;
    }
  }
}
