package io.tokenvault.ports.memory;

import io.tokenvault.ports.store.CompiledModuleStore;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A cache of compiled operator modules in memory, for tests. It never evicts. */
public final class InMemoryCompiledModules implements CompiledModuleStore {

  private final Map<String, EncryptedModule> modules = new ConcurrentHashMap<>();
  private final AtomicInteger saves = new AtomicInteger();

  /** Returns the modules by their content hashes, which a test may change. */
  public Map<String, EncryptedModule> modules() {
    return modules;
  }

  /** Returns how often a module was saved. */
  public int saves() {
    return saves.get();
  }

  @Override
  public Optional<EncryptedModule> find(String contentHash) {
    return Optional.ofNullable(modules.get(contentHash));
  }

  @Override
  public void save(String contentHash, EncryptedModule module) {
    saves.incrementAndGet();
    modules.put(contentHash, module);
  }
}
