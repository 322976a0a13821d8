package io.tokenvault.adapters.http;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.spi.Room;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** Reads JSON bodies up to a size. */
final class BodyReader {

  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final int PIECE = 32 << 10;
  private static final int GROWTH = 3;

  private final JsonCodec json;
  private final int maxBody;
  private final int minBodyRate;

  /**
   * @param minBodyRate see {@link Pace}
   */
  BodyReader(JsonCodec json, int maxBody, int minBodyRate) {
    this.json = json;
    this.maxBody = maxBody;
    this.minBodyRate = minBodyRate;
  }

  /**
   * @param room for the body and the work on it
   * @throws EdgeException for a body of another type, or that did not arrive
   * @throws RefusedException for one that is too large, of which no more than that is read, or for
   *     which there is no room
   * @throws ValidationException for none, or one that is not JSON
   */
  JsonValue read(HttpServletRequest request, Room room) {
    return read(request, isJson(request.getContentType()), "application/json", room);
  }

  /** The same for a merge patch (RFC 7386), which may also be called just JSON. */
  JsonValue readPatch(HttpServletRequest request, Room room) {
    return read(request, isMergePatch(request.getContentType()), MERGE_PATCH, room);
  }

  private JsonValue read(HttpServletRequest request, boolean typeFits, String type, Room room) {
    if (request.getContentLengthLong() > maxBody) {
      throw tooLarge();
    }
    try {
      InputStream body = new PacedStream(request.getInputStream(), new Pace(minBodyRate));
      byte[] bytes = bytes(body, typeFits, type, room);
      room.take(JsonCost.of(bytes));
      return json.read(bytes);
    } catch (IOException broken) {
      throw new EdgeException(
          EdgeFailure.REQUEST_TIMEOUT, "The body did not arrive completely, or not in time.");
    }
  }

  private byte[] bytes(InputStream body, boolean typeFits, String type, Room room)
      throws IOException {
    byte[] bytes = read(body, typeFits ? maxBody + 1 : 1, room);
    if (bytes.length == 0) {
      throw ValidationException.of(Violations.WHOLE_REQUEST, "a JSON body is required");
    }
    if (!typeFits) {
      throw new EdgeException(
          EdgeFailure.WRONG_CONTENT_TYPE, "Send the body as " + type + ", in UTF-8.");
    }
    if (bytes.length > maxBody) {
      throw tooLarge();
    }
    return bytes;
  }

  /** What has not arrived takes no room yet. */
  private static byte[] read(InputStream body, int most, Room room) throws IOException {
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

  /** Whether a content type is one of JSON's; none is. */
  static boolean isJson(String contentType) {
    String type = essence(contentType);
    return type.equals(Answer.JSON) || (type.startsWith("application/") && type.endsWith("+json"));
  }

  private static boolean isMergePatch(String contentType) {
    String type = essence(contentType);
    return type.equals(Answer.JSON) || type.equals(MERGE_PATCH);
  }

  /** Without parameters; what has no type is JSON. */
  private static String essence(String contentType) {
    return contentType == null || contentType.isBlank()
        ? Answer.JSON
        : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }
}
