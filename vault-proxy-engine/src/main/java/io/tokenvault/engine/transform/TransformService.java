package io.tokenvault.engine.transform;

import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.TransformRunner.Ending.Broken;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.worker.compile.TransformCompiler;
import io.tokenvault.ports.runtime.TransformRuntime;
import io.tokenvault.ports.usecase.proxy.CompiledModules;
import java.util.List;

/**
 * Compiles and runs transforms until it is closed: {@link WorkerTransforms}, or {@link #off} for a
 * vault without transforms.
 */
public interface TransformService extends TransformRuntime, TransformRunner, AutoCloseable {

  /** Uses a cache of compiled modules that other nodes share. */
  void cacheModules(CompiledModules shared);

  /** Starts workers, and compiles the operator's modules, in the background. Called only once. */
  void startSpares();

  /** Ends all workers, including busy ones. */
  @Override
  void close();

  /** Returns a service that rejects the code of every transform and runs none. */
  static TransformService off() {
    return new Off();
  }

  /** A service that starts no process. */
  final class Off implements TransformService {

    private Off() {}

    @Override
    public String compiler() {
      return TransformCompiler.VERSION;
    }

    @Override
    public Compilation compile(TenantId tenantId, TransformCode code) {
      return new Compilation.Refused(
          List.of(new Compilation.Flaw(1, 1, "transforms are turned off in this vault")));
    }

    @Override
    public Ending run(Run run, Host host) {
      return new Broken(WorkerFailure.OFF);
    }

    @Override
    public void cacheModules(CompiledModules shared) {}

    @Override
    public void startSpares() {}

    @Override
    public void close() {}
  }
}
