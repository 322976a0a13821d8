package io.tokenvault.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.ports.memory.InMemoryStores;
import io.tokenvault.ports.usecase.key.KeysetGuard;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.crypto.KeysetProtection;
import io.tokenvault.server.crypto.MasterKeyset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeysetWatchTest {

  private static final KeysetProtection PROTECTION = KeysetProtection.of(Optional.empty());

  private final KeysetGuard guard =
      new KeysetGuard(new InMemoryStores(InstantSource.system()).stores().keysetRegistry());

  @TempDir private Path directory;
  private Path file;
  private MasterKeyset keyset;
  private CurrentKeys keys;
  private KeysetWatch watch;

  @BeforeEach
  void startWatch() {
    file = directory.resolve("master-keyset.json");
    keyset = MasterKeyset.create(file, PROTECTION);
    keys = new CurrentKeys(keyset);
    Configuration configuration =
        Configuration.from(Map.of("VAULT_DATA_DIR", directory.toString()));
    watch = new KeysetWatch(KeysetFile.of(configuration, HostParts.NONE), keys, guard);
  }

  @Test
  void rejectedFileIsLoadedOnceItsPermissionsAreCorrected() throws IOException {
    MasterKeyset changed = keyset.withNewKey();
    changed.replace(file, PROTECTION);
    setPermissions("rw-r--r--");
    watch.poll();
    assertThat(keys.masterKeys().ids()).isEqualTo(keyset.ids());

    setPermissions("rw-------");
    watch.poll();

    assertThat(keys.masterKeys().ids()).isEqualTo(changed.ids());
  }

  private void setPermissions(String permissions) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }
}
