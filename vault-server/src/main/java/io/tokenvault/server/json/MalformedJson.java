package io.tokenvault.server.json;

import com.fasterxml.jackson.core.JsonLocation;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;

/** The answers to text that is not acceptable; they tell where, and never what stands there. */
final class MalformedJson {

  private MalformedJson() {}

  static ValidationException absent() {
    return ValidationException.of(Violations.WHOLE_REQUEST, "a JSON body is required");
  }

  /** Lines and columns count from 1; columns count UTF-16 units. */
  static ValidationException at(int line, int column, String problem) {
    return ValidationException.of(
        Violations.WHOLE_REQUEST, problem + " at line " + line + ", column " + column);
  }

  static ValidationException at(JsonLocation location, String problem) {
    return at(location.getLineNr(), location.getColumnNr(), problem);
  }
}
