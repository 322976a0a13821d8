package io.tokenvault.adapters.jdbi.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.store.CompiledModuleStore;
import io.tokenvault.ports.store.CompiledModuleStore.EncryptedModule;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class JdbiCompiledModulesTest {

  private static final TestDatabase DATABASE = TestDatabase.migrated();
  @AutoClose private static JdbiStores stores;
  private static CompiledModuleStore modules;

  @BeforeAll
  static void open() {
    stores = DATABASE.stores();
    modules = stores.compiledModules();
  }

  private static EncryptedModule module(int content) {
    byte[] bytes = {(byte) content, 0, -1};
    return new EncryptedModule(
        new WrappedKey(KeyPurpose.DATA, 1, bytes), new EncryptedValue(1, bytes));
  }

  private static void age(String hash, int days) {
    DATABASE.asOwner(
        "UPDATE compiled_module SET used_at = now() - interval '%d days' WHERE content_hash = '%s'"
            .formatted(days, hash));
  }

  @Test
  void savedModuleIsFoundAndReplaced() {
    modules.save("a", module(1));
    assertThat(modules.find("a")).contains(module(1));
    assertThat(modules.find("b")).isEmpty();

    modules.save("a", module(2));
    assertThat(modules.find("a")).contains(module(2));
  }

  @Test
  void modulesUnusedForOneMonthAreRemoved() {
    modules.save("unused", module(1));
    modules.save("used", module(2));
    age("unused", 31);
    age("used", 31);
    assertThat(modules.find("used")).contains(module(2));

    modules.save("new", module(3));

    assertThat(modules.find("unused")).isEmpty();
    assertThat(modules.find("used")).contains(module(2));
  }
}
