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

/** Creates the first tenant of an empty embedded database, so that a first request can be sent. */
public final class FirstTenant {

  /**
   * The name of the file in the data directory that holds the management key of the first tenant.
   */
  public static final String KEY_FILE = "first-key.json";

  private static final ResourceName NAME = new ResourceName("First tenant");

  private FirstTenant() {}

  /**
   * Creates a tenant if there is none, and writes its management key to the data directory.
   *
   * <p>The file {@value #KEY_FILE} is readable by its owner only and holds one line of JSON, as
   * {@link IssuedKeyLine} formats it.
   *
   * @param dataDirectory the directory of the key file
   * @return the tenant if it was created by this call
   * @throws UncheckedIOException if the key file cannot be written
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
