package io.tokenvault.adapters.jdbi.embedded;

import java.util.Locale;

/** The two roles of the vault's database. */
enum Role {
  /** Bootstrap superuser: migrates, makes and drops partitions. */
  VAULT_OWNER,
  /** What the server works as. */
  VAULT_RUNTIME;

  String user() {
    return name().toLowerCase(Locale.ROOT);
  }
}
