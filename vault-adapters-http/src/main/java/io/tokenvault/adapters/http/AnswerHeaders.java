package io.tokenvault.adapters.http;

import io.tokenvault.ports.api.ConnectionHeaders;
import io.tokenvault.ports.api.HeaderNames;
import io.tokenvault.ports.api.ServiceHeaders;

/**
 * Which headers of a proxy's answer go to the caller, whoever gave them, be it a tenant's
 * transform: none that says where this connection's messages end, and none that looks like ours.
 */
final class AnswerHeaders {

  private final ServiceHeaders own;

  AnswerHeaders(ServiceHeaders own) {
    this.own = own;
  }

  boolean pass(String name) {
    return HeaderNames.isToken(name)
        && !ConnectionHeaders.include(name)
        && (!own.owns(name)
            || name.equals(own.destinationStatus())
            || name.equals(own.idempotencyRepeat()));
  }
}
