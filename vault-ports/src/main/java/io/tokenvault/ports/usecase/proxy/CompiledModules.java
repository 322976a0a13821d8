package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.store.CompiledModuleStore;
import io.tokenvault.ports.store.CompiledModuleStore.EncryptedModule;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Cache of compiled operator modules, encrypted and authenticated like the code of tenants: write
 * access to the database is not sufficient to make the vault run other code.
 *
 * <p>Callers must be able to do without it: every method throws if the database is not available.
 * Thread-safe.
 */
public final class CompiledModules {

  /** Stands for the operator in the bindings of keys and programs. */
  private static final TenantId OPERATOR = new TenantId(new UUID(0, 0));

  /** The version of the only key of a module. */
  private static final int VERSION = 1;

  private final CompiledModuleStore store;
  private final FieldCipher cipher;
  private final KeyWrapper keys;

  /** Creates the cache. */
  public CompiledModules(CompiledModuleStore store, FieldCipher cipher, KeyWrapper keys) {
    this.store = store;
    this.cipher = cipher;
    this.keys = keys;
  }

  /**
   * Returns a module.
   *
   * @param compiler the compiler that is wanted
   * @param contentHash identifies the source and the compiler
   * @return empty if it is not cached
   * @throws IllegalStateException if it was changed, or its key is unknown
   */
  public Optional<CompiledTransform> find(String compiler, String contentHash) {
    return store.find(contentHash).map(module -> decrypt(compiler, contentHash, module));
  }

  /** Adds a module, or replaces one that could not be read. */
  public void save(String contentHash, CompiledTransform module) {
    WrappedKey key = keys.create(OPERATOR, KeyPurpose.DATA, VERSION);
    EncryptedValue program =
        cipher.encrypt(
            new TenantKeys(OPERATOR, List.of(key)),
            FieldBinding.compiledModule(OPERATOR, contentHash),
            SensitiveValue.of(bytes(module)));
    store.save(contentHash, new EncryptedModule(key, program));
  }

  private CompiledTransform decrypt(String compiler, String contentHash, EncryptedModule module) {
    SensitiveValue program =
        cipher.decrypt(
            new TenantKeys(OPERATOR, List.of(module.key())),
            FieldBinding.compiledModule(OPERATOR, contentHash),
            module.program());
    try (DataInputStream data = new DataInputStream(new ByteArrayInputStream(program.open()))) {
      List<String> requires = new ArrayList<>();
      for (int left = data.readInt(); left > 0; left--) {
        requires.add(data.readUTF());
      }
      String code = new String(data.readAllBytes(), StandardCharsets.UTF_8);
      return new CompiledTransform(compiler, code, requires);
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }

  private static byte[] bytes(CompiledTransform module) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream data = new DataOutputStream(bytes)) {
      data.writeInt(module.requires().size());
      for (String name : module.requires()) {
        data.writeUTF(name);
      }
      data.write(module.program().getBytes(StandardCharsets.UTF_8));
    } catch (IOException tooLong) {
      throw new UncheckedIOException(tooLong);
    }
    return bytes.toByteArray();
  }
}
