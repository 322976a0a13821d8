package io.tokenvault.ports.store;

import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.application.ApplicationId;
import java.util.Set;

/** Criteria for listing applications. An empty set does not restrict the list. */
public record ApplicationFilter(Set<ApplicationId> ids, Set<ApplicationType> types) {
  public ApplicationFilter {
    ids = Set.copyOf(ids);
    types = Set.copyOf(types);
  }
}
