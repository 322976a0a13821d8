package io.tokenvault.ports.store;

import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.application.ApplicationId;
import java.util.Set;

/** Which applications to list; an empty set does not restrict. */
public record ApplicationFilter(Set<ApplicationId> ids, Set<ApplicationType> types) {
  public ApplicationFilter {
    ids = Set.copyOf(ids);
    types = Set.copyOf(types);
  }
}
