package io.tokenvault.server.assembly;

import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.ports.usecase.tenant.ManageTenants;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.server.files.OwnerOnlyFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Gives an empty embedded database a tenant, so that a first request can be made. */
public final class FirstTenant {

  public static final String KEY_FILE = "first-key.json";

  private static final ResourceName NAME = new ResourceName("First tenant");

  private FirstTenant() {}

  /**
   * Makes the tenant if there is none, and leaves its management key in the data directory.
   *
   * @return the tenant, if it was made now
   */
  public static Optional<IssuedTenant> createIfEmpty(ManageTenants tenants, Path dataDirectory) {
    Optional<IssuedTenant> issued = tenants.createFirst(NAME);
    issued.ifPresent(tenant -> write(dataDirectory.resolve(KEY_FILE), IssuedKeyLine.json(tenant)));
    return issued;
  }

  private static void write(Path file, String line) {
    try {
      new OwnerOnlyFile(file).replace((line + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException failed) {
      throw new UncheckedIOException("Cannot write " + file, failed);
    }
  }
}
