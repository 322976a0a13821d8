package io.tokenvault.ports.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.memory.FakeFieldCipher;
import io.tokenvault.ports.memory.FakeKeyWrapper;
import io.tokenvault.ports.memory.InMemoryCompiledModules;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.store.CompiledModuleStore;
import io.tokenvault.ports.usecase.proxy.CompiledModules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CompiledModulesTest {

  private static final CompiledTransform MODULE =
      new CompiledTransform("compiler/1", "exports.secret = '\u00e9';", List.of("./a", "b"));

  private final InMemoryCompiledModules store = new InMemoryCompiledModules();
  private final CompiledModules modules =
      new CompiledModules(store, new FakeFieldCipher(), new FakeKeyWrapper());

  @Test
  void savedModuleIsFound() {
    modules.save("hash", MODULE);

    assertThat(modules.find("compiler/1", "hash")).contains(MODULE);
    assertThat(modules.find("compiler/1", "other")).isEmpty();
  }

  @Test
  void programIsStoredEncrypted() {
    modules.save("hash", MODULE);

    assertThat(
            new String(store.modules().get("hash").program().ciphertext(), StandardCharsets.UTF_8))
        .doesNotContain("secret");
  }

  @Test
  void changedOrMovedProgramIsRejected() {
    modules.save("hash", MODULE);
    CompiledModuleStore.EncryptedModule row = store.modules().get("hash");
    store.modules().put("other", row);
    byte[] changed = row.program().ciphertext();
    changed[changed.length / 2] ^= 1;
    store
        .modules()
        .put(
            "hash",
            new CompiledModuleStore.EncryptedModule(
                row.key(), new EncryptedValue(row.program().keyVersion(), changed)));

    assertThatThrownBy(() -> modules.find("compiler/1", "hash"))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> modules.find("compiler/1", "other"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void storesWithoutCacheKeepNothing() {
    CompiledModules none =
        new CompiledModules(CompiledModuleStore.NONE, new FakeFieldCipher(), new FakeKeyWrapper());
    none.save("hash", MODULE);

    assertThat(none.find("compiler/1", "hash")).isEmpty();
  }
}
