package io.tokenvault.ports.store;

import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.WrappedKey;
import java.util.Objects;
import java.util.Optional;

/**
 * Cache of the operator's modules in compiled form, shared by all nodes. An entry may be lost at
 * any time; the module is then compiled again.
 */
public interface CompiledModuleStore {

  /** A store that keeps nothing, for adapters without this cache. */
  CompiledModuleStore NONE =
      new CompiledModuleStore() {
        @Override
        public Optional<EncryptedModule> find(String contentHash) {
          return Optional.empty();
        }

        @Override
        public void save(String contentHash, EncryptedModule module) {}
      };

  /**
   * Returns a module and records that it is in use.
   *
   * @param contentHash identifies the source and the compiler
   */
  Optional<EncryptedModule> find(String contentHash);

  /**
   * Stores a module, replacing an earlier one, and removes those that were not used for a month.
   */
  void save(String contentHash, EncryptedModule module);

  /**
   * An encrypted program with the key that encrypts nothing else.
   *
   * @param key the data key, wrapped by a master key
   * @param program the ciphertext
   */
  record EncryptedModule(WrappedKey key, EncryptedValue program) {
    public EncryptedModule {
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(program, "program");
    }
  }
}
