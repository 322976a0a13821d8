package io.tokenvault.server.cli;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.ManageKeys.Outcome;
import io.tokenvault.server.assembly.Backend;
import picocli.CommandLine.Command;

/** Destroys the keys of a tenant, so that nothing of it can be read again. */
@Command(
    name = "shred",
    description = {
      "Destroys all keys of a tenant. Nothing of it can be read or written any more, from the",
      "next request on, by anybody on any node. Its applications, rows and log stay.",
      "This cannot be undone, but by backups of the keys: docs/encryption.md says how to keep them."
    },
    mixinStandardHelpOptions = true)
final class TenantShred extends EndOfTenant {

  TenantShred(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Outcome end(Backend backend, TenantId tenant) {
    return backend.manageKeys().shred(tenant);
  }
}
