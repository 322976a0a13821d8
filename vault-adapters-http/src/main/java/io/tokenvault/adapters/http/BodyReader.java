package io.tokenvault.adapters.http;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.ports.spi.JsonCodec;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** Reads JSON bodies up to a size. */
final class BodyReader {

  private static final String MERGE_PATCH = "application/merge-patch+json";

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
   * @throws EdgeException for a body of another type, or that did not arrive
   * @throws RefusedException for one that is too large, of which no more than that is read
   * @throws ValidationException for none, or one that is not JSON
   */
  JsonValue read(HttpServletRequest request) {
    return read(request, isJson(request.getContentType()), "application/json");
  }

  /** The same for a merge patch (RFC 7386), which may also be called just JSON. */
  JsonValue readPatch(HttpServletRequest request) {
    return read(request, isMergePatch(request.getContentType()), MERGE_PATCH);
  }

  private JsonValue read(HttpServletRequest request, boolean typeFits, String type) {
    if (request.getContentLengthLong() > maxBody) {
      throw tooLarge();
    }
    try {
      return json.read(
          bytes(new PacedStream(request.getInputStream(), new Pace(minBodyRate)), typeFits, type));
    } catch (IOException broken) {
      throw new EdgeException(
          EdgeFailure.REQUEST_TIMEOUT, "The body did not arrive completely, or not in time.");
    }
  }

  private byte[] bytes(InputStream body, boolean typeFits, String type) throws IOException {
    byte[] bytes = body.readNBytes(typeFits ? maxBody + 1 : 1);
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
