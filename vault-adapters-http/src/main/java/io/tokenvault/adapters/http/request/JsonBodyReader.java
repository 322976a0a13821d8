package io.tokenvault.adapters.http.request;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.tokenvault.adapters.http.limits.BodyDeadline;
import io.tokenvault.adapters.http.limits.HttpLimits;
import io.tokenvault.adapters.http.limits.MinimumDataRate;
import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.adapters.http.response.RejectionCause;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.usecase.memory.MemoryBudget;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/**
 * Reads JSON bodies within limits on their size, their data rate, the time that they take, and the
 * memory of the request.
 */
final class JsonBodyReader {

  /** The number of bytes that are read and reserved at a time. */
  private static final int PIECE = 32 << 10;

  /** The number of copies of each byte in memory while a large body is read. */
  private static final int GROWTH = 3;

  private final JsonCodec json;
  private final int maxBody;
  private final int minBodyRate;
  private final long graceNanos;

  JsonBodyReader(JsonCodec json, HttpLimits limits) {
    this.json = json;
    this.maxBody = limits.maxBody();
    this.minBodyRate = limits.minBodyRate();
    this.graceNanos = limits.bodyGrace().toNanos();
  }

  /**
   * Reads a body as JSON.
   *
   * @param body the request, or its bytes if they were read before
   * @param type the content type that the route accepts
   * @throws RejectedRequestException if the body has another content type or did not arrive in time
   * @throws RefusedException if the body exceeds the size limit, which is detected without reading
   *     more than that, or if there is not enough memory for it
   * @throws ValidationException if there is no body or it is not JSON
   */
  JsonValue read(Incoming body, JsonContentType type) {
    // The raw header, since getContentType() fails for charsets that Java does not know.
    boolean typeFits = type.fits(body.request().getHeader("Content-Type"));
    byte[] bytes =
        body.known()
            .orElseGet(() -> readUpTo(body.request(), typeFits ? maxBody + 1 : 1, body.room()));
    check(bytes, typeFits, type);
    body.room().take(MemoryBudget.costOfJson(bytes));
    return json.read(bytes);
  }

  /**
   * Reads a body of any content type; no body reads as no bytes.
   *
   * @throws RejectedRequestException if the body did not arrive in time
   * @throws RefusedException like {@link #read}
   */
  byte[] readAll(HttpServletRequest request, MemoryReservation room) {
    byte[] bytes = readUpTo(request, maxBody + 1, room);
    if (bytes.length > maxBody) {
      throw tooLarge();
    }
    return bytes;
  }

  /**
   * Reads at most {@code most} bytes. An announced length above the limit is rejected before any
   * byte is read.
   */
  private byte[] readUpTo(HttpServletRequest request, int most, MemoryReservation room) {
    if (request.getContentLengthLong() > maxBody) {
      throw tooLarge();
    }
    EndPoint connection = connection(request);
    long idleTimeout = connection.getIdleTimeout();
    try {
      return read(
          MinimumDataRate.limit(timely(request, connection, idleTimeout), minBodyRate), most, room);
    } catch (IOException broken) {
      throw new RejectedRequestException(
          RejectionCause.REQUEST_TIMEOUT, "The body did not arrive completely, or not in time.");
    } finally {
      connection.setIdleTimeout(idleTimeout);
    }
  }

  /**
   * Returns the body with a deadline. A read blocks for the idle timeout or until the deadline,
   * whichever is sooner.
   */
  private InputStream timely(HttpServletRequest request, EndPoint connection, long idleTimeout)
      throws IOException {
    // Jetty measures idleness from the last byte of the head, not from the first read of the body.
    long silent = NANOSECONDS.toMillis(System.nanoTime() - core(request).getHeadersNanoTime());
    return new BodyDeadline(
        request.getInputStream(),
        request.getContentLengthLong(),
        graceNanos,
        new BodyDeadline.Clock(
            System::nanoTime,
            millis -> connection.setIdleTimeout(Math.min(idleTimeout, silent + millis))));
  }

  private static EndPoint connection(HttpServletRequest request) {
    return core(request).getConnectionMetaData().getConnection().getEndPoint();
  }

  private static Request core(HttpServletRequest request) {
    return ServletContextRequest.getServletContextRequest(request);
  }

  /** Checks that the body is present, has an accepted content type and is within the size limit. */
  private void check(byte[] bytes, boolean typeFits, JsonContentType type) {
    if (bytes.length == 0) {
      throw ValidationException.of(Violations.WHOLE_REQUEST, "a JSON body is required");
    }
    if (!typeFits) {
      throw new RejectedRequestException(
          RejectionCause.WRONG_CONTENT_TYPE, "Send the body as " + type.text() + ", in UTF-8.");
    }
    if (bytes.length > maxBody) {
      throw tooLarge();
    }
  }

  /** Reads a body in pieces, so that memory is reserved for received bytes only. */
  private static byte[] read(InputStream body, int most, MemoryReservation room)
      throws IOException {
    byte[] first = body.readNBytes(Math.min(most, PIECE));
    room.take(first.length);
    if (first.length < PIECE) {
      return first;
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream(2 * PIECE);
    byte[] piece = first;
    while (piece.length > 0) {
      // The growing buffer exists twice while it is copied, and the result is one more copy.
      room.take(GROWTH * (long) piece.length);
      all.write(piece);
      piece = body.readNBytes(Math.min(most - all.size(), PIECE));
    }
    return all.toByteArray();
  }

  private RefusedException tooLarge() {
    return new RefusedException(
        FailureCause.BODY_TOO_LARGE, "The body may be at most " + maxBody + " bytes long.");
  }

  /**
   * The body of a request that may have been read before.
   *
   * @param known the bytes of the body, if they were read before
   * @param room the memory of the request, for the body and the work on it
   */
  record Incoming(HttpServletRequest request, Optional<byte[]> known, MemoryReservation room) {}
}
