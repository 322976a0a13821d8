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
import io.tokenvault.ports.usecase.memory.JsonCost;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/** Reads JSON bodies up to a size. */
final class JsonBodyReader {

  private static final int PIECE = 32 << 10;
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
   * @throws RejectedRequestException for a body of another type, or that did not arrive
   * @throws RefusedException for one that is too large, of which no more than that is read, or for
   *     which there is no room
   * @throws ValidationException for none, or one that is not JSON
   */
  JsonValue read(Incoming body, JsonContentType type) {
    // Not getContentType(), which fails for a charset that Java does not know.
    boolean typeFits = type.fits(body.request().getHeader("Content-Type"));
    byte[] bytes =
        body.known()
            .orElseGet(() -> readUpTo(body.request(), typeFits ? maxBody + 1 : 1, body.room()));
    check(bytes, typeFits, type);
    body.room().take(JsonCost.of(bytes));
    return json.read(bytes);
  }

  /**
   * Reads a body of whatever type, none included.
   *
   * @throws RejectedRequestException for one that did not arrive
   * @throws RefusedException as {@link #read}
   */
  byte[] readAll(HttpServletRequest request, MemoryReservation room) {
    byte[] bytes = readUpTo(request, maxBody + 1, room);
    if (bytes.length > maxBody) {
      throw tooLarge();
    }
    return bytes;
  }

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

  private InputStream timely(HttpServletRequest request, EndPoint connection, long idleTimeout)
      throws IOException {
    // The connection has been silent since the head, not since now.
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

  /** What has not arrived takes no room yet. */
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
      // What grows is there twice at times, and once more in the end.
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
   * A body on its way in.
   *
   * @param known its bytes, if they were read already
   * @param room for the body and the work on it
   */
  record Incoming(HttpServletRequest request, Optional<byte[]> known, MemoryReservation room) {}
}
