package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Explanation;
import io.tokenvault.domain.application.ApplicationId;
import java.util.Objects;
import java.util.Optional;

/**
 * What an application may do now, and why; nothing of a token's data.
 *
 * @param outcome the weaker of what the application and its creator may do
 * @param creator of an application that is bounded by the one that made it
 */
public record AccessReport(Decision outcome, Part application, Optional<Part> creator) {
  public AccessReport {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(application, "application");
    Objects.requireNonNull(creator, "creator");
  }

  /** In one sentence, which names what decided, of the application or of its creator. */
  public String reason() {
    return creator
        .filter(part -> !part.exists() && outcome.isByCreator())
        .map(part -> "the creator is refused: " + part.reason())
        .orElseGet(outcome::conclusion);
  }

  /**
   * What one application may do by itself.
   *
   * @param exists false for a creator that is gone, which may do nothing
   */
  public record Part(ApplicationId id, boolean exists, Explanation explanation) {
    public Part {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(explanation, "explanation");
    }

    public String reason() {
      return exists ? explanation.conclusion() : "it does not exist any more";
    }
  }
}
