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
 * Checks that the head of a response is unambiguous. OkHttp accepts nearly anything as a head, and
 * chooses between contradictory lengths itself.
 */
final class ResponseHeadCheck {

  private static final int OK = 200;
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  private ResponseHeadCheck() {}

  /**
   * Requires an unambiguous head.
   *
   * @throws ProtocolException if the response is not final (no protocol switch was requested), if a
   *     header could be split when it is returned to the caller, or if the end of the body is
   *     ambiguous
   */
  static void requireSound(Response answer) throws ProtocolException {
    if (answer.code() < OK || !hasSoundFields(answer.headers()) || !hasSoundLength(answer)) {
      throw new ProtocolException("an answer that is not sound");
    }
  }

  /** Returns whether all names are tokens and no value contains line breaks or NUL. */
  private static boolean hasSoundFields(Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      if (!HeaderNames.isToken(headers.name(i)) || HeaderNames.splits(headers.value(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether there is at most one distinct length, or chunked encoding without a length. */
  private static boolean hasSoundLength(Response answer) {
    List<String> lengths = answer.headers("Content-Length");
    List<String> codings = answer.headers("Transfer-Encoding");
    boolean oneLength =
        lengths.stream().allMatch(length -> DIGITS.matcher(length).matches())
            && lengths.stream().distinct().count() <= 1;
    return oneLength && (codings.isEmpty() || (lengths.isEmpty() && isChunked(answer, codings)));
  }

  /** Returns whether the body is chunked and has no other transfer coding. */
  private static boolean isChunked(Response answer, List<String> codings) {
    return answer.protocol() == Protocol.HTTP_1_1
        && codings.size() == 1
        && codings.get(0).equalsIgnoreCase("chunked");
  }

  /** Returns whether a response has a body, even if it is empty. */
  static boolean hasBody(Response answer) {
    return BodyRules.hasBody(answer.request().method(), answer.code());
  }

  /** Returns the value of {@code Content-Length}, or a negative number if there is none. */
  static long announcedLength(Response sound) {
    return Long.parseLong(sound.header("Content-Length", "-1"));
  }
}
