package io.tokenvault.server.cli;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.ManageKeys.Outcome;
import io.tokenvault.server.assembly.Backend;
import picocli.CommandLine.Command;

/** Deletes a tenant with everything that it owns but its log. */
@Command(
    name = "delete",
    description = {
      "Deletes a tenant with its applications, proxies, tokens and data keys. Its log stays.",
      "This cannot be undone."
    },
    mixinStandardHelpOptions = true)
final class TenantDelete extends EndOfTenant {

  TenantDelete(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Outcome end(Backend backend, TenantId tenant) {
    return backend.manageTenants().delete(tenant) ? Outcome.DONE : Outcome.NO_TENANT;
  }
}
