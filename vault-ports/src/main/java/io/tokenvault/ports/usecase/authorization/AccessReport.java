package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Explanation;
import io.tokenvault.domain.application.ApplicationId;
import java.util.Objects;
import java.util.Optional;

/**
 * The current permissions of an application and their reasons, without any token data.
 *
 * @param outcome the weaker of the decisions on the application and on its creator
 * @param application the decision on the application alone
 * @param creator the decision on the application that limits this one, if any
 */
public record AccessReport(Decision outcome, Part application, Optional<Part> creator) {
  public AccessReport {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(application, "application");
    Objects.requireNonNull(creator, "creator");
  }

  /**
   * Returns one sentence that names the deciding rule or permission of the application or its
   * creator.
   */
  public String reason() {
    return creator
        .filter(part -> !part.exists() && outcome.isByCreator())
        .map(part -> "the creator is denied: " + part.reason())
        .orElseGet(outcome::conclusion);
  }

  /**
   * The permissions of one application alone.
   *
   * @param exists false for a deleted creator, which has no permissions
   */
  public record Part(ApplicationId id, boolean exists, Explanation explanation) {
    public Part {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(explanation, "explanation");
    }

    public String reason() {
      return exists ? explanation.conclusion() : "it no longer exists";
    }
  }
}
