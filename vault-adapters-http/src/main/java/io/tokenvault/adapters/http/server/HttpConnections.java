package io.tokenvault.adapters.http.server;

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
 * Connections that know whether a request was meant for the proxy even if its first line cannot be
 * read: Jetty forgets such a line, and the proxy's errors have a form of their own. A caller that
 * sends a head in such small pieces that no silence is long enough to end the connection gets
 * status 408 when the time for the head is over.
 */
final class HttpConnections extends HttpConnectionFactory {

  private static final int LOOK_AHEAD = 64;
  private static final Pattern FOR_PROXY =
      Pattern.compile("\\s*\\S+ /proxy(?:[/?# ].*)?", Pattern.DOTALL);

  private final long headNanos;

  /**
   * @param headTimeout how long a request's head may take from its first byte on
   */
  HttpConnections(HttpConfiguration http, Duration headTimeout) {
    super(http);
    this.headNanos = headTimeout.toNanos();
  }

  /** Whether the last request that began on this connection was one of the proxy's. */
  static boolean lastWasForProxy(Request request) {
    return request.getConnectionMetaData().getConnection() instanceof EdgeConnection connection
        && connection.getParser() instanceof LookingParser parser
        && parser.forProxy;
  }

  @Override
  public Connection newConnection(Connector connector, EndPoint endPoint) {
    HttpConnection connection =
        new EdgeConnection(getHttpConfiguration(), connector, endPoint, headNanos);
    connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
    return configure(connection, connector, endPoint);
  }

  private static final class EdgeConnection extends HttpConnection {

    // Set by the super constructor, which calls the methods below.
    private RequestHandler handler;
    private LookingParser parser;

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
      parser = new LookingParser(handler, http.getRequestHeaderSize(), compliance);
      parser.setHeaderCacheSize(http.getHeaderCacheSize());
      parser.setHeaderCacheCaseSensitive(http.isHeaderCacheCaseSensitive());
      return parser;
    }
  }

  /** Looks at the start of each request before it is parsed. */
  private static final class LookingParser extends HttpParser {

    private boolean forProxy;
    private long headNanos = Long.MAX_VALUE;
    private boolean begun;
    private long beginning;

    LookingParser(RequestHandler handler, int maxHeaderBytes, HttpCompliance compliance) {
      super(handler, maxHeaderBytes, compliance);
    }

    @Override
    public boolean parseNext(ByteBuffer buffer) {
      if (isTooLate(buffer)) {
        BufferUtil.clear(buffer);
        badMessage(new HttpException.RuntimeException(HttpStatus.REQUEST_TIMEOUT_408));
        return false;
      }
      if (isStart() && buffer.hasRemaining()) {
        byte[] start = new byte[Math.min(LOOK_AHEAD, buffer.remaining())];
        buffer.get(buffer.position(), start);
        forProxy = FOR_PROXY.matcher(new String(start, StandardCharsets.ISO_8859_1)).matches();
      }
      return super.parseNext(buffer);
    }

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

    /** The next request has time of its own. */
    @Override
    public void reset() {
      super.reset();
      begun = false;
    }
  }
}
