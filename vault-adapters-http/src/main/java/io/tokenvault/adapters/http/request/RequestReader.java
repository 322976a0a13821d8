package io.tokenvault.adapters.http.request;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.exchange.HttpLimits;
import io.tokenvault.adapters.http.response.EntityTags;
import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.adapters.http.response.RejectedRequestException.Cause;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.MemoryBudget;
import io.tokenvault.ports.runtime.MemoryBudget.Share;
import io.tokenvault.ports.runtime.MemoryReservation;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Collections;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;

/**
 * Reads bodies, queries, preconditions and ids from requests, within limits on the size of a body,
 * the time that it takes, and the memory of the request. Routes call it after the caller has been
 * authenticated. Thread-safe.
 *
 * <p>Each request has a share of the memory budget that all requests have in common, from its first
 * reservation, before the body is read, until the response has been sent.
 */
public final class RequestReader {

  private static final String BODY = RequestReader.class.getName() + ".body";
  private static final String SHARE = RequestReader.class.getName() + ".share";

  /** The number of bytes that are read and reserved at a time. */
  private static final int PIECE = 32 << 10;

  /** The number of copies of each byte in memory while a large body is read. */
  private static final int GROWTH = 3;

  private final JsonCodec json;
  private final MemoryBudget memory;
  private final int maxBody;
  private final long graceNanos;

  /**
   * Creates the reader.
   *
   * @param json parses bodies
   * @param limits bound the size and the arrival time of bodies
   * @param memory the budget of all requests together
   */
  public RequestReader(JsonCodec json, HttpLimits limits, MemoryBudget memory) {
    this.json = json;
    this.memory = memory;
    this.maxBody = limits.maxBody();
    this.graceNanos = limits.bodyGrace().toNanos();
  }

  /**
   * Reads the fields of the body.
   *
   * @param reader creates a draft from the fields
   * @param violations collects what is wrong with the fields; must be checked before the draft is
   *     used
   * @throws ValidationException if the body is not a JSON object; other failures as for {@link
   *     #json}
   */
  public <T> T body(Context context, Function<JsonFields, T> reader, Violations violations) {
    return reader.apply(JsonFields.of(json(context), violations));
  }

  /**
   * Reads the body as a JSON value, without a schema.
   *
   * @throws RejectedRequestException if the body has another content type or did not arrive in time
   * @throws RefusedException if the body exceeds the size limit, which is detected without reading
   *     more than that, or if there is not enough memory for it
   * @throws ValidationException if there is no body or it is not JSON
   */
  public JsonValue json(Context context) {
    return read(context, JsonContentType.JSON);
  }

  /** Reads a JSON merge patch (RFC 7386) as a JSON value, like {@link #json}. */
  public JsonValue patch(Context context) {
    return read(context, JsonContentType.MERGE_PATCH);
  }

  /**
   * Checks that a request whose route needs no body has none, or one without fields.
   *
   * @throws ValidationException naming the fields that were sent; other failures as for {@link
   *     #json}
   */
  public void requireNoFields(Context context) {
    byte[] kept = context.attribute(BODY);
    if ((kept == null ? keepBytes(context) : kept).length > 0) {
      Violations violations = new Violations();
      JsonFields.of(json(context), violations).refuseOthers();
      violations.throwIfAny();
    }
  }

  /** Returns a resource that was rendered as a JSON value. */
  public JsonValue rendered(Context context, byte[] resource) {
    reservation(context).take(MemoryBudget.costOfJson(resource));
    return json.read(resource);
  }

  /**
   * Reads the bytes of a body of any content type and keeps them, so that they can be read again as
   * JSON. Returns no bytes if there is no body.
   */
  public byte[] keepBytes(Context context) {
    byte[] bytes = readUpTo(context, maxBody + 1);
    if (bytes.length > maxBody) {
      throw tooLarge();
    }
    context.attribute(BODY, bytes);
    return bytes;
  }

  private JsonValue read(Context context, JsonContentType type) {
    // The raw header, since getContentType() fails for charsets that Java does not know.
    boolean typeFits = type.fits(context.req().getHeader("Content-Type"));
    byte[] kept = context.attribute(BODY);
    byte[] bytes = kept == null ? readUpTo(context, typeFits ? maxBody + 1 : 1) : kept;
    if (bytes.length == 0) {
      throw ValidationException.of(Violations.WHOLE_REQUEST, "a JSON body is required");
    }
    if (!typeFits) {
      throw new RejectedRequestException(
          Cause.WRONG_CONTENT_TYPE, "Send the body as " + type.text() + ", in UTF-8.");
    }
    if (isCompressed(context.req().getHeader("Content-Encoding"))) {
      throw new RejectedRequestException(
          Cause.WRONG_CONTENT_TYPE, "Send the body uncompressed, without a Content-Encoding.");
    }
    if (bytes.length > maxBody) {
      throw tooLarge();
    }
    reservation(context).take(MemoryBudget.costOfJson(bytes));
    return json.read(bytes);
  }

  private static boolean isCompressed(String contentEncoding) {
    return contentEncoding != null
        && !contentEncoding.isBlank()
        && !contentEncoding.strip().equalsIgnoreCase("identity");
  }

  /**
   * Reads at most {@code most} bytes. An announced length above the limit is rejected before any
   * byte is read.
   *
   * <p>A read blocks for the idle timeout or until the deadline of the body, whichever is sooner.
   */
  private byte[] readUpTo(Context context, int most) {
    long announced = context.req().getContentLengthLong();
    if (announced > maxBody) {
      throw tooLarge();
    }
    MemoryReservation reservation = reservation(context);
    ServletContextRequest request = ServletContextRequest.getServletContextRequest(context.req());
    EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
    long idleTimeout = connection.getIdleTimeout();
    // Jetty measures idleness from the last byte of the head, not from the first read of the body.
    long silent = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - request.getHeadersNanoTime());
    try {
      InputStream timed =
          new BodyDeadline(
              context.req().getInputStream(),
              announced,
              graceNanos,
              System::nanoTime,
              millis -> connection.setIdleTimeout(Math.min(idleTimeout, silent + millis)));
      return readPieces(timed, most, reservation);
    } catch (IOException broken) {
      // An EofException is either a body that ends early or a malformed chunk. Jetty does not tell
      // them apart, so both are 400.
      throw broken instanceof EofException
          ? new RejectedRequestException(
              Cause.MALFORMED_REQUEST, "The body is incomplete or not well-formed.")
          : new RejectedRequestException(Cause.REQUEST_TIMEOUT, "The body did not arrive in time.");
    } finally {
      connection.setIdleTimeout(idleTimeout);
    }
  }

  /** Reads a body in pieces, so that memory is reserved for received bytes only. */
  private static byte[] readPieces(InputStream body, int most, MemoryReservation reservation)
      throws IOException {
    byte[] first = body.readNBytes(Math.min(most, PIECE));
    reservation.take(first.length);
    if (first.length < PIECE) {
      return first;
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream(2 * PIECE);
    byte[] piece = first;
    while (piece.length > 0) {
      // The growing buffer exists twice while it is copied, and the result is one more copy.
      reservation.take(GROWTH * (long) piece.length);
      all.write(piece);
      piece = body.readNBytes(Math.min(most - all.size(), PIECE));
    }
    return all.toByteArray();
  }

  private RefusedException tooLarge() {
    return new RefusedException(
        FailureCause.BODY_TOO_LARGE, "The body may be at most " + maxBody + " bytes long.");
  }

  /** Returns the share of a request. All calls for one request return one share. */
  public MemoryReservation reservation(Context context) {
    Share known = context.attribute(SHARE);
    if (known != null) {
      return known;
    }
    Share share = memory.open();
    context.attribute(SHARE, share);
    return share;
  }

  /**
   * Releases the share of a request, if it has one. Must be called when the response has been sent.
   */
  public static void release(Context context) {
    Share share = context.attribute(SHARE);
    if (share != null) {
      share.close();
    }
  }

  /**
   * Reads the versions that the request may change from {@code If-Match}. A malformed header
   * becomes a violation and accepts any version.
   */
  public static ExpectedVersion expected(Context context, Violations violations) {
    try {
      return expected(context);
    } catch (ValidationException malformed) {
      malformed.errors().forEach((path, all) -> all.forEach(each -> violations.add(path, each)));
      return ExpectedVersion.ANY;
    }
  }

  /**
   * Reads the versions that the request may change from {@code If-Match}.
   *
   * @return any version if the header is missing
   * @throws ValidationException if the header is malformed
   */
  public static ExpectedVersion expected(Context context) {
    return EntityTags.ifMatch(Collections.list(context.req().getHeaders(EntityTags.IF_MATCH)));
  }

  /**
   * Reads the query as a value.
   *
   * @param reader reads all parameters that the route has
   * @throws ValidationException naming all invalid and all unknown parameters
   */
  public static <T> T query(Context context, Function<QueryParameters, T> reader) {
    Violations violations = new Violations();
    QueryParameters query = QueryParameters.parse(context.queryString(), violations);
    T value = reader.apply(query);
    query.refuseOthers();
    violations.throwIfAny();
    return value;
  }

  /**
   * Checks that a request has no parameters.
   *
   * @throws ValidationException naming the parameters that were sent
   */
  public static void requireNoQuery(Context context) {
    if (context.queryString() != null) {
      query(context, Function.identity());
    }
  }

  /**
   * Reads the id in the path.
   *
   * @throws RefusedException if it is not a UUID, with the same cause as for an unknown id
   */
  public static UUID id(Context context) {
    return JsonFields.parseUuid(context.pathParam("id")).orElseThrow(RefusedException::notFound);
  }

  /**
   * A request body that has to arrive before a deadline, which depends on its size.
   *
   * <p>The deadline is a grace period plus the time that the body's size takes at 10 KB/s. The size
   * is the announced length or the number of bytes received, whichever is larger. A read past the
   * deadline fails with an {@link IOException}, so that a caller cannot hold a thread with a body
   * that trickles in.
   */
  static final class BodyDeadline extends FilterInputStream {

    private static final long NANOS_PER_BYTE = TimeUnit.SECONDS.toNanos(1) / 10_000;

    private final LongSupplier nanos;
    private final LongConsumer readLimit;
    private final long graceNanos;
    private final long start;
    private final long announced;
    private long received;

    /**
     * Starts the deadline now.
     *
     * @param body the body to read
     * @param announced the content length in bytes; negative if it is unknown
     * @param graceNanos the grace period in nanoseconds, whatever the size of the body
     * @param nanos supplies a time in nanoseconds that never decreases
     * @param readLimit sets after how many milliseconds a blocked read fails
     */
    BodyDeadline(
        InputStream body,
        long announced,
        long graceNanos,
        LongSupplier nanos,
        LongConsumer readLimit) {
      super(body);
      this.nanos = nanos;
      this.readLimit = readLimit;
      this.graceNanos = graceNanos;
      this.announced = announced;
      this.start = nanos.getAsLong();
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    /**
     * Reads some bytes, waiting for them until the deadline at most.
     *
     * @throws SocketTimeoutException if the bytes arrived after the deadline
     * @throws IOException if the connection fails, or stays idle until the deadline
     */
    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      // Only a read that may block needs a limit: bytes that are buffered are returned immediately.
      if (received != announced && in.available() == 0) {
        readLimit.accept(Math.max(1, TimeUnit.NANOSECONDS.toMillis(remaining())));
      }
      int count = in.read(buffer, offset, length);
      received += Math.max(0, count);
      if (count >= 0 && remaining() < 0) {
        throw new SocketTimeoutException("the body took too long");
      }
      return count;
    }

    /** Returns the time until the deadline in nanoseconds; negative once it has passed. */
    private long remaining() {
      long allowed = graceNanos + Math.max(announced, received) * NANOS_PER_BYTE;
      return allowed - (nanos.getAsLong() - start);
    }
  }
}
