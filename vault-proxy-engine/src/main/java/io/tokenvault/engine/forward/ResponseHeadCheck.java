package io.tokenvault.engine.forward;

import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.ports.api.HeaderNames;
import java.net.ProtocolException;
import java.util.List;
import java.util.regex.Pattern;
import okhttp3.Headers;
import okhttp3.Protocol;
import okhttp3.Response;

/**
 * Whether the head of an answer says what it seems to say. OkHttp takes nearly anything for one,
 * and decides for itself which of two lengths it believes.
 */
final class ResponseHeadCheck {

  private static final int OK = 200;
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  private ResponseHeadCheck() {}

  /**
   * @throws ProtocolException if it is not final (nobody asked to change protocols), if a header
   *     could become another one at the caller, or if it does not say clearly where its body ends
   */
  static void requireSound(Response answer) throws ProtocolException {
    if (answer.code() < OK || !hasSoundFields(answer.headers()) || !hasSoundLength(answer)) {
      throw new ProtocolException("an answer that is not sound");
    }
  }

  private static boolean hasSoundFields(Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      if (!HeaderNames.isToken(headers.name(i)) || HeaderNames.splits(headers.value(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasSoundLength(Response answer) {
    List<String> lengths = answer.headers("Content-Length");
    List<String> codings = answer.headers("Transfer-Encoding");
    boolean oneLength =
        lengths.stream().allMatch(length -> DIGITS.matcher(length).matches())
            && lengths.stream().distinct().count() <= 1;
    return oneLength && (codings.isEmpty() || (lengths.isEmpty() && isChunked(answer, codings)));
  }

  private static boolean isChunked(Response answer, List<String> codings) {
    return answer.protocol() == Protocol.HTTP_1_1
        && codings.size() == 1
        && codings.get(0).equalsIgnoreCase("chunked");
  }

  /** Whether a body comes after it, if only an empty one. */
  static boolean hasBody(Response answer) {
    return BodyRules.hasBody(answer.request().method(), answer.code());
  }

  /** What {@code Content-Length} says; negative if nothing. */
  static long announcedLength(Response sound) {
    return Long.parseLong(sound.header("Content-Length", "-1"));
  }
}
