package io.tokenvault.server.json;

import java.util.Optional;

/**
 * Characters that no string or name may contain although JSON can express them: PostgreSQL cannot
 * store NUL, and a lone surrogate has no UTF-8 form.
 */
enum UnacceptableText {
  NUL("a string holds NUL"),
  LONE_SURROGATE("a string holds a lone surrogate");

  private final String problem;

  UnacceptableText(String problem) {
    this.problem = problem;
  }

  String problem() {
    return problem;
  }

  /** Returns the first such character of a text; empty if there is none. */
  static Optional<UnacceptableText> in(String text) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char unit = text.charAt(i);
      if (unit == '\0') {
        return Optional.of(NUL);
      }
      if (Character.isSurrogate(unit)) {
        if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
          return Optional.of(LONE_SURROGATE);
        }
        i++;
      }
    }
    return Optional.empty();
  }
}
