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

  private final JsonCodec json;
  private final int maxBody;

  BodyReader(JsonCodec json, int maxBody) {
    this.json = json;
    this.maxBody = maxBody;
  }

  /**
   * @throws EdgeException for a body of another type, or that did not arrive
   * @throws RefusedException for one that is too large, of which no more than that is read
   * @throws ValidationException for none, or one that is not JSON
   */
  JsonValue read(HttpServletRequest request) {
    if (request.getContentLengthLong() > maxBody) {
      throw tooLarge();
    }
    try {
      return json.read(bytes(request.getInputStream(), isJson(request.getContentType())));
    } catch (IOException broken) {
      throw new EdgeException(
          EdgeFailure.REQUEST_TIMEOUT, "The body did not arrive completely, or not in time.");
    }
  }

  private byte[] bytes(InputStream body, boolean typeFits) throws IOException {
    byte[] bytes = body.readNBytes(typeFits ? maxBody + 1 : 1);
    if (bytes.length == 0) {
      throw ValidationException.of(Violations.WHOLE_REQUEST, "a JSON body is required");
    }
    if (!typeFits) {
      throw new EdgeException(
          EdgeFailure.WRONG_CONTENT_TYPE, "Send the body as application/json, in UTF-8.");
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
    if (contentType == null || contentType.isBlank()) {
      return true;
    }
    String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return type.equals(Answer.JSON) || (type.startsWith("application/") && type.endsWith("+json"));
  }
}
